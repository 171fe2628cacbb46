/**
 * What callers do with drains. A caller that is tied to a project sees the drains of that project alone. Who makes, changes or resumes a drain is
 * its owner from then on, because it reads with the owner's rights.
 */
import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { isSameData } from '../../domain/equality.js';
import { invalid, RejectedError } from '../../domain/rejections.js';
import { newSecret } from '../../http/outgoing/webhook-headers.js';
import type { Owner } from '../owner.js';
import { Owners } from '../owners.js';
import { ReceiverTests } from '../receiver-tests.js';
import { refuseEmpty, refuseUnseen } from '../revision.js';
import { TailRights } from '../tail/tail-rights.js';
import type { TokenHolder } from '../tokens/token.queries.js';
import { type Destination, type Drain, drainRevision, type HttpDestination, sentBy } from './drain.js';
import type { DestinationFields, DrainChange, DrainFields, DrainRules } from './drain-body.js';
import { DrainBook, MAX_DRAINS } from './drain-book.js';
import { DrainDestinations } from './drain-destinations.js';
import { DrainEntries } from './drain-entries.js';
import { type DrainTest, type DrainView, drainView } from './drain-view.js';
import { begunAgain, resumed, startAt } from './progress.js';

/** Of those whose owner is tied to a project. */
const MAX_OF_PROJECT = 20;

/** Methods that take an id throw RejectedError `drain-not-found`. */
@Injectable()
export class Drains {
  constructor(
    private readonly book: DrainBook,
    private readonly owners: Owners,
    private readonly entries: DrainEntries,
    private readonly rights: TailRights,
    private readonly destinations: DrainDestinations,
    private readonly tests: ReceiverTests,
  ) {}

  async rules(): Promise<DrainRules> {
    const refusalOf = (destination: DestinationFields) => this.destinations.refusal(destination);
    return { sources: await this.rights.sources(), refusalOf };
  }

  /** By name. */
  async list(caller: Owner): Promise<readonly DrainView[]> {
    const { project } = await this.owners.holder(caller);
    const shown = (await this.book.drains()).filter((drain) => isShownTo(project, drain));
    const head = shown.length === 0 ? 0 : await this.entries.head();
    return shown
      .map((drain) => drainView(drain, head))
      .sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  async get(drainId: string, caller: Owner): Promise<DrainView> {
    return this.#view(await this.#shown(drainId, caller));
  }

  /**
   * It sends what comes from now on. Throws RejectedError `invalid-request`, `too-many-drains`, `token-project`, `token-scope`, and
   * QueryProblem.
   */
  async create(fields: DrainFields, caller: Owner): Promise<DrainView> {
    const holder = await this.owners.holder(caller);
    const config = await this.#checked(fields, holder);
    refuseTooMany(await this.book.drains(), holder.project);
    const head = await this.entries.head();
    const drain: Drain = {
      ...config,
      ...{ destination: destinationOf(fields.destination, newPosts()), drainId: randomUUID(), owner: caller },
      ...{ tiedTo: holder.project, createdAt: Date.now(), isPaused: false, progress: startAt(head) },
    };
    await this.book.create(drain);
    return drainView(drain, head, true);
  }

  /**
   * Goes on where it was, at once, also when it had stopped. What is under way is sent again when it is other entries now, or goes
   * elsewhere. What was checked together is changed together: throws RejectedError `drain-changed` when other settings are there by then,
   * or than those that the client has seen. Throws what `create` throws, but for `too-many-drains`.
   */
  async edit(drainId: string, { revision, ...change }: DrainChange, caller: Owner): Promise<DrainView> {
    refuseEmpty(change);
    const shown = await this.#shown(drainId, caller);
    const seen = drainRevision(shown);
    refuseUnseen(revision, seen, 'drain-changed');
    const holder = await this.owners.holder(caller);
    const { project } = await this.#checked({ ...shown, ...change }, holder);
    const destination = destinationOf(
      change.destination ?? shown.destination,
      postsOf(shown.destination) ?? newPosts(),
    );
    const changed = await this.book.change(drainId, (before) => {
      refuseUnseen(seen, drainRevision(before), 'drain-changed');
      const after = { ...before, ...change, ...{ project, destination, owner: caller } };
      return {
        ...after,
        // Those of another project no longer see it.
        tiedTo: after.project === before.tiedTo ? before.tiedTo : holder.project,
        progress: isSameData(sentBy(before), sentBy(after))
          ? resumed(before.progress)
          : begunAgain(before.progress),
      };
    });
    const isNewSecret = postsOf(shown.destination) === null && postsOf(changed.destination) !== null;
    return drainView(changed, await this.entries.head(), isNewSecret);
  }

  async pause(drainId: string, caller: Owner): Promise<DrainView> {
    await this.#shown(drainId, caller);
    return this.#view(await this.book.change(drainId, (drain) => ({ ...drain, isPaused: true })));
  }

  /** Goes on where it was, at once. Throws what `create` throws when the caller may not read the entries, and `drain-changed`. */
  async resume(drainId: string, caller: Owner): Promise<DrainView> {
    const drain = await this.#shown(drainId, caller);
    await this.entries.rangeFor(await this.owners.holder(caller), drain);
    const changed = await this.book.change(drainId, (before) => {
      refuseUnseen(drainRevision(drain), drainRevision(before), 'drain-changed');
      return { ...before, owner: caller, isPaused: false, progress: resumed(before.progress) };
    });
    return this.#view(changed);
  }

  /** Sends an empty batch, which is signed as any other. Changes nothing. Throws FailureError `too-many-tests`. */
  async test(drainId: string, caller: Owner, signal: AbortSignal): Promise<DrainTest> {
    const { destination } = await this.#shown(drainId, caller);
    this.tests.count(await this.owners.holder(caller), Date.now());
    const id = `drain_${drainId}_test_${randomUUID()}`;
    const batch = { id, key: `drain=${drainId}/test.parquet`, entries: [], columns: [] };
    const failed = await this.destinations.send(destination, batch, signal);
    return { problem: failed?.problem ?? null };
  }

  async remove(drainId: string, caller: Owner): Promise<void> {
    await this.#shown(drainId, caller);
    await this.book.remove(drainId);
  }

  /** The fields with the project that the drain reads. */
  async #checked(fields: DrainFields, holder: TokenHolder): Promise<DrainFields> {
    const config = { ...fields, project: fields.project ?? holder.project };
    const { columns } = await this.entries.rangeFor(holder, config);
    if (!columns.some(({ name }) => name === 'id')) throw new RejectedError(invalid([NO_ID]));
    if (config.destination.kind === 's3' && holder.project !== null) throw new RejectedError(NOT_THE_BUCKET);
    return config;
  }

  async #shown(drainId: string, caller: Owner): Promise<Drain> {
    const { project } = await this.owners.holder(caller);
    const drain = await this.book.drain(drainId);
    if (isShownTo(project, drain)) return drain;
    throw new RejectedError({ code: 'drain-not-found', detail: `there is no drain ${drainId}` });
  }

  async #view(drain: Drain): Promise<DrainView> {
    return drainView(drain, await this.entries.head());
  }
}

const isShownTo = (project: TokenHolder['project'], { tiedTo }: Drain): boolean =>
  project === null || tiedTo === project;

/** What posts have that a change of their address keeps. */
type Posts = Pick<HttpDestination, 'format' | 'secret'>;

const newPosts = (): Posts => ({ format: 'json', secret: newSecret() });

const destinationOf = (fields: DestinationFields, posts: Posts): Destination =>
  fields.kind === 'http' ? { ...posts, ...fields } : fields;

const postsOf = (destination: Destination): Posts | null => {
  if (destination.kind === 's3') return null;
  const { format, secret } = destination;
  return { format, secret };
};

const NO_ID = {
  field: 'lql',
  rule: 'columns',
  message: 'its entries must keep their id, by which a receiver knows an entry that comes again',
};

const NOT_THE_BUCKET = {
  code: 'token-project',
  detail:
    'files go into the bucket of the whole installation: an access token of one project cannot send them',
} as const;

const refuseTooMany = (drains: readonly Drain[], project: TokenHolder['project']): void => {
  const ofProject = drains.filter(({ tiedTo }) => tiedTo === project).length;
  if (drains.length < MAX_DRAINS && (project === null || ofProject < MAX_OF_PROJECT)) return;
  const detail = `there may be ${MAX_DRAINS} drains, and ${MAX_OF_PROJECT} whose owner is tied to one project`;
  throw new RejectedError({ code: 'too-many-drains', detail });
};
