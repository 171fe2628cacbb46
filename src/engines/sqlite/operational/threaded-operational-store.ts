/**
 * The operational store of a server: this thread reads, and another writes. A write waits for the disk, and for the lock of
 * another process 4 s at most, after which it is refused as unavailable. No other request waits meanwhile.
 */
import { Worker } from 'node:worker_threads';
import { messageOf } from '../../../foundation/basics/error-message.js';
import { isUnusableFile } from '../../../foundation/basics/store-unavailable.js';
import { threadUrl } from '../../../foundation/basics/threads.js';
import { type Damage, StoreDamagedError, type Verifiable } from '../../../foundation/integrity/damage.js';
import type { DamageListener } from '../../../foundation/integrity/damage-log.js';
import {
  type AccountStore,
  EmailTakenError,
  LastAdminError,
} from '../../../foundation/operational/account-store.js';
import type { AlertStore } from '../../../foundation/operational/alert-store.js';
import type { AuditStore } from '../../../foundation/operational/audit-store.js';
import type { FailureStore } from '../../../foundation/operational/failure-store.js';
import { KeyUseBuffer } from '../../../foundation/operational/key-use-buffer.js';
import type { LogCountStore } from '../../../foundation/operational/log-count-store.js';
import {
  AssocIdTakenError,
  type OperationalStore,
  OperationalUnavailableError,
} from '../../../foundation/operational/operational-store.js';
import type { RefusedEntryStore } from '../../../foundation/operational/refused-entry-store.js';
import type { WitnessStore } from '../../../foundation/operational/witness-store.js';
import { whenUnlocked } from '../locks.js';
import { ThreadCalls, type ThreadFailure } from '../thread-calls.js';
import { SqliteOperationalStore } from './sqlite-operational-store.js';

/** In the thread. */
export interface OperationalParts {
  readonly store: SqliteOperationalStore;
  readonly accounts: AccountStore;
  readonly witnesses: WitnessStore;
  readonly failures: FailureStore;
  readonly logCounts: LogCountStore;
  readonly refusedEntries: RefusedEntryStore;
  readonly audit: AuditStore;
  readonly alerts: AlertStore;
}

/** Readers wait for no writer. Only while the write-ahead log is made good after a crash may they be locked out. */
const READ_WITHIN_MS = 1_000;

/** Starts the thread. Throws OperationalUnavailableError when the file cannot be opened or belongs to another program. */
export const openThreadedStore = (
  path: string,
  onDamage: DamageListener = () => undefined,
): OperationalStore & Verifiable => {
  const onFileDamage = (damage: Damage): Promise<void> => noteFileDamage(damage);
  const own = new SqliteOperationalStore(path, {
    startsThreads: true,
    onDamage,
    onFileDamage,
    role: 'reader',
  });
  let isFailing = false;
  const writer = new ThreadCalls<OperationalParts>({
    start: () =>
      new Worker(threadUrl('operational-writer.worker.js', import.meta.url), { workerData: { path } }),
    startsNow: true,
    errorOf: (failure) => {
      const error = errorOf(failure);
      if (error instanceof OperationalUnavailableError) isFailing = true;
      if (error instanceof StoreDamagedError) onDamage(error.damage);
      return error;
    },
  });
  const keyUses = new KeyUseBuffer(writer.methods('store', ['addKeyUses']).addKeyUses);
  const { noteFileDamage, tryToWrite, close } = writer.methods('store', [
    'noteFileDamage',
    'tryToWrite',
    'close',
  ]);
  return {
    store: own.store,
    ...reads(own, ['profiles', 'profilesByAssocId', 'profilesByName', 'searchProfiles']),
    ...writer.methods('store', [
      'createProfile',
      'createProfiles',
      'updateProfile',
      'handOverAssocId',
      'eraseProfile',
      'putRecords',
    ]),
    accounts: {
      ...reads(own.accounts, ['byId', 'byEmail', 'ofSpace', 'session', 'sessionsOf']),
      ...writer.methods('accounts', ['create', 'update', 'replaceHash', 'replaceFactors', 'erase']),
      ...writer.methods('accounts', [
        'startSession',
        'seen',
        'endSession',
        'endSessionsOf',
        'endSessionsBefore',
        'putChallenge',
        'takeChallenge',
      ]),
    },
    witnesses: {
      ...reads(own.witnesses, ['read']),
      ...writer.methods('witnesses', ['claim', 'raise', 'begin', 'noteBackup']),
    },
    failures: writer.methods('failures', ['exchange']),
    logCounts: {
      ...reads(own.logCounts, ['ofDay']),
      ...writer.methods('logCounts', ['add', 'removeBefore']),
    },
    refusedEntries: {
      ...reads(own.refusedEntries, ['page']),
      ...writer.methods('refusedEntries', ['append', 'removeBefore']),
    },
    audit: {
      ...reads(own.audit, ['page']),
      ...writer.methods('audit', ['secret', 'append', 'removeBefore']),
    },
    alerts: {
      ...reads(own.alerts, ['read', 'range', 'waking']),
      ...writer.methods('alerts', ['insert', 'replace', 'remove']),
    },
    recordKeyUse: (keyId, { at, ...use }) => keyUses.add({ keyId, lastUsedAt: at, ...use }),
    keyUses: async (keyIds) => {
      await keyUses.flush();
      return own.keyUses(keyIds);
    },
    takesWrites: async () => {
      if (isFailing)
        isFailing = await tryToWrite().then(
          () => false,
          () => true,
        );
      return !isFailing;
    },
    async *records() {
      await keyUses.flush();
      yield* own.records();
    },
    backup: async (to) => {
      await keyUses.flush();
      await own.backup(to);
    },
    scrub: () => own.scrub(),
    close: async () => {
      await keyUses.close();
      await close();
      await writer.close();
      await own.close();
    },
  };
};

/** The same methods, with errors of the driver as the port has them. Codec: the target has methods of these names. */
const reads = <Target extends object, Name extends keyof Target & string>(
  target: Target,
  names: readonly Name[],
): Pick<Target, Name> => {
  const functions: readonly unknown[][] = names.map((name) => [
    name,
    (...args: unknown[]) => read(async () => Reflect.apply(Object(target)[name], target, args)),
  ]);
  return Object.fromEntries(functions);
};

const read = <T>(work: () => Promise<T>): Promise<T> =>
  whenUnlocked(work, READ_WITHIN_MS).catch((error: unknown) => {
    if (!isUnusableFile(error)) throw error;
    throw new OperationalUnavailableError(messageOf(error), { cause: error });
  });

/** The errors of the port, made again from what crossed. */
const errorOf = ({ name, message, isOutage, fields }: ThreadFailure): Error => {
  switch (name) {
    case AssocIdTakenError.name:
      return new AssocIdTakenError(String(fields.assocId), Number(fields.takenBy));
    case EmailTakenError.name:
      return new EmailTakenError(String(fields.email));
    case LastAdminError.name:
      return new LastAdminError(String(fields.accountId));
    case StoreDamagedError.name:
      return new StoreDamagedError(Object(fields.damage));
    default:
      return isOutage
        ? new OperationalUnavailableError(`the operational store does not take the write: ${message}`)
        : new Error(message);
  }
};
