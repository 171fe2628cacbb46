/**
 * Who may do what on the test server, as the documentation of EventStoreDB says: `$admins` everything, the others what the
 * access list of `$all` or the default lists in `$settings` name them for. It has no access lists of single streams.
 */
import { type IUsersServer, UsersService } from '@eventstore/db-client/generated/users_grpc_pb.js';
import type { Metadata, sendUnaryData } from '@grpc/grpc-js';
import { accessDenied, Code, CreateResp, callError, ResetPasswordResp } from './messages.js';
import type { RecordStore } from './record-store.js';

const ADMIN = 'admin';
const ADMINS = '$admins';
const ANYBODY = '$all';

interface Called {
  readonly metadata: Metadata;
}

export class Access {
  readonly #records: RecordStore;
  /** Passwords of users. Empty: the server has no users, and anybody may do everything. */
  readonly users = new Map<string, string>();

  constructor(records: RecordStore) {
    this.#records = records;
  }

  async mayReadAll(call: Called): Promise<boolean> {
    const { $acl }: { $acl?: unknown } = await this.#lastOf('$$$all');
    const { $r = ADMINS }: { $r?: unknown } = Object($acl);
    return this.#isNamed(call, $r);
  }

  mayRead(call: Called, stream: string): Promise<boolean> {
    return this.#isInDefault(call, stream, '$r');
  }

  mayAppend(call: Called, stream: string): Promise<boolean> {
    return this.#isInDefault(call, stream, '$w');
  }

  service(): {
    readonly definition: typeof UsersService;
    readonly calls: Pick<IUsersServer, 'create' | 'resetPassword'>;
  } {
    return {
      definition: UsersService,
      calls: {
        create: (call, done) => {
          const options = call.request.getOptions();
          const name = options?.getLoginName() ?? '';
          if (!this.#isAdmin(call, done)) return;
          if (this.users.has(name))
            return done(callError(Code.ALREADY_EXISTS, `User '${name}' already exists.`));
          this.users.set(name, options?.getPassword() ?? '');
          done(null, new CreateResp());
        },
        resetPassword: (call, done) => {
          const options = call.request.getOptions();
          if (!this.#isAdmin(call, done)) return;
          this.users.set(options?.getLoginName() ?? '', options?.getNewPassword() ?? '');
          done(null, new ResetPasswordResp());
        },
      },
    };
  }

  #isAdmin(call: Called, done: sendUnaryData<never>): boolean {
    const isAdmin = this.#isNamed(call, ADMINS);
    if (!isAdmin) done(accessDenied());
    return isAdmin;
  }

  async #isInDefault(call: Called, stream: string, right: '$r' | '$w'): Promise<boolean> {
    const settings: { $userStreamAcl?: unknown; $systemStreamAcl?: unknown } =
      await this.#lastOf('$settings');
    const isOwn = stream.startsWith('$');
    const list = Object(isOwn ? settings.$systemStreamAcl : settings.$userStreamAcl);
    return this.#isNamed(call, list[right] ?? (isOwn ? ADMINS : ANYBODY));
  }

  /** `roles`: one name or several. */
  #isNamed({ metadata }: Called, roles: unknown): boolean {
    if (this.users.size === 0) return true;
    const caller = [...this.users].find(([name, password]) => {
      const credentials = Buffer.from(`${name}:${password}`).toString('base64');
      return metadata.get('authorization').includes(`Basic ${credentials}`);
    });
    const names = [ANYBODY, ...(caller ? [caller[0]] : []), ...(caller?.[0] === ADMIN ? [ADMINS] : [])];
    return names.includes(ADMINS) || [roles].flat().some((role) => names.includes(String(role)));
  }

  async #lastOf(stream: string): Promise<object> {
    const records = await this.#records.readStream(stream, { direction: 'backwards', limit: 1 });
    const [last] = Array.isArray(records) ? records : [];
    return last ? JSON.parse(Buffer.from(last.data).toString()) : {};
  }
}
