/**
 * The user that Podium's nodes are, and what the server lets it do: read `$all`, and where the store is Podium's alone, all
 * streams that are not the server's own. Access lists of EventStoreDB know single streams and a default for the others, but
 * no prefix. An administrator grants this; a second time it changes only the password.
 */
import { randomUUID } from 'node:crypto';
import { BACKWARDS, END } from '@eventstore/db-client';
import { EventStoreUnavailableError, NO_STREAM } from '../../foundation/event-store/event-store.js';
import type { GrantedRights } from '../../foundation/event-store/user-rights.js';
import { BatchAppends } from './batch-appends.js';
import { Connection } from './connection.js';
import { type Credentials, parseEsdbUrl } from './esdb-url.js';
import { EsdbFailure } from './failures.js';
import { recordsOf } from './read-records.js';

type Json = Readonly<Record<string, unknown>>;

const ADMINS = '$admins';
/** Access list of `$all`. */
const ALL_METADATA = { stream: '$$$all', type: '$metadata' };
/** The server's default access lists: of streams that have none, and of its own streams. */
const SETTINGS = { stream: '$settings', type: '$settings' };
const OWN_STREAMS = { $r: ADMINS, $w: ADMINS, $d: ADMINS, $mr: ADMINS, $mw: ADMINS };

/** `url` holds the user's name and password. Throws ConfigError for a wrong one, else EventStoreUnavailableError, with one line without credentials. */
export const grantUserRights = async (
  url: string,
  { admin, isAlone }: { readonly admin: Credentials; readonly isAlone: boolean },
): Promise<GrantedRights> => {
  const { credentials: user, ...server } = parseEsdbUrl(url);
  if (!user)
    throw new EventStoreUnavailableError(
      'the URL of the event store names no user: esdb://USER:PASSWORD@HOST',
    );
  if (user.username === admin.username)
    throw new EventStoreUnavailableError(
      `the URL of the event store names the administrator ${admin.username} itself`,
    );
  const connection = new Connection({ ...server, credentials: admin });
  try {
    const created = await connection.call((client) => client.putUser(user, server.timeoutMs));
    await amend(connection, ALL_METADATA, (metadata) => ({
      ...metadata,
      $acl: { ...jsonOf(metadata.$acl), $r: withRole(jsonOf(metadata.$acl).$r ?? ADMINS, user.username) },
    }));
    if (isAlone) await amend(connection, SETTINGS, (settings) => aloneIn(settings, user.username));
    return { user: user.username, created, isAlone };
  } catch (error) {
    throw connection.mapStoreError('cannot get its user', error);
  } finally {
    await connection.close();
  }
};

/** Deletes nothing, and changes no access list: that stays with the administrators. */
const aloneIn = (settings: Json, user: string): Json => {
  const both = [user, ADMINS];
  const others = { $r: both, $w: both, $d: ADMINS, $mr: both, $mw: ADMINS };
  return { $systemStreamAcl: OWN_STREAMS, ...settings, $userStreamAcl: others };
};

/** Replaces the content of a stream's last event, unless it is so already. */
const amend = async (
  connection: Connection,
  { stream, type }: { readonly stream: string; readonly type: string },
  change: (content: Json) => Json,
): Promise<void> => {
  for (let isWritten = false; !isWritten; ) {
    isWritten = await connection.call(async (client) => {
      const options = { fromRevision: END, direction: BACKWARDS, maxCount: 1, requiresLeader: true } as const;
      const [last] =
        (await recordsOf(client, client.readStream(stream, options), connection.timeoutMs)) ?? [];
      const content = jsonOf(last?.data);
      const changed = change(content);
      if (JSON.stringify(changed) === JSON.stringify(content)) return true;
      const data = new TextEncoder().encode(JSON.stringify(changed));
      const event = { id: randomUUID(), type, data, metadata: new Uint8Array() };
      const expected = last === undefined ? NO_STREAM : Number(last.revision);
      const appends = new BatchAppends(client);
      const { ok } = await appends.append({ stream, expected, events: [event] }, connection.timeoutMs);
      return ok;
    });
  }
};

const jsonOf = (data: unknown): Json => {
  if (data === undefined) return {};
  if (typeof data !== 'object' || data === null)
    throw new EsdbFailure('refused', 'an access list is no JSON object');
  return { ...data };
};

/** Roles are a name or several. */
const withRole = (roles: unknown, role: string): readonly unknown[] => {
  const present: readonly unknown[] = Array.isArray(roles) ? roles : [roles];
  return present.includes(role) ? present : [...present, role];
};
