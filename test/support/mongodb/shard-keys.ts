/**
 * Watches the commands of the stores on MongoDB, and holds each to the shard key of its collection: on a mongos, a command that
 * changes one document must name its key, and one that names none goes to every shard.
 */
import { EventEmitter } from 'node:events';
import { type CommandStartedEvent, MongoClient } from 'mongodb';
import { contentSum } from '../../../src/engines/mongodb/content-sum.js';
import { OPERATIONAL_SHARD_KEYS } from '../../../src/engines/mongodb/operational/documents.js';
import { HAS_CLAIMS, UNIQUE_BY_INDEX } from '../../../src/engines/mongodb/operational/layout.js';
import { READ_MODEL_SHARD_KEYS, ROW_SHARD_KEY } from '../../../src/engines/mongodb/read-models/documents.js';
import { generationOfTable } from '../../../src/engines/mongodb/read-models/tables.js';
import type { ShardKey } from '../../../src/engines/mongodb/shard-keys.js';

type Fields = Readonly<Record<string, unknown>>;

/** One filter of a command. */
interface Target {
  readonly filter: Fields;
  /** It changes one document, so it must go to one shard. */
  readonly isOfOne: boolean;
}

const LIST =
  'a list is a range of an index; each shard gives its part, as rows are spread for the writes of a rebuild';
const SCRUB = 'a scrub reads everything in the background';
const FEW = 'few documents, which lie in one chunk';
const TIMER = 'a timer looks every few seconds or minutes';
const RARE = 'for a page of the dashboard that few accounts see';
const SEARCH = 'persons are searched in an index of each shard';
const LEFT = 'at the start, and for a batch of new profiles that another process has left or still makes';

/** What goes to every shard on purpose, by command, collection and fields of the filter, and why that is right. */
const EVERYWHERE: Readonly<Record<string, string>> = {
  'find rows {r.k}': LIST,
  'aggregate rows {r.k}': LIST,
  'aggregate rows {_id,r.k}': LIST,
  'find rows {_id}': SCRUB,
  'find rows {r.b}': SCRUB,
  'count * {}': SCRUB,
  'find * {sum}': 'asked at most every 5 s, and only when a checksum does not fit',
  'find log {}': FEW,
  'find leases {}': FEW,
  'find leases {renewedAt}': FEW,
  'delete leases {renewedAt}': FEW,
  'find witnesses {}': FEW,
  'delete witnesses {_id}': FEW,
  'find node_failures {_id,at}': FEW,
  'delete node_failures {at}': FEW,
  'delete challenges {endsAt}': FEW,
  'delete journal {after,token}': TIMER,
  'find cached_results {}': TIMER,
  'delete cached_results {keepUntil}': TIMER,
  'distinct cached_results {keepUntil,warmAt}': TIMER,
  'find cached_results {keepUntil,tenant,warmAt}': TIMER,
  'find alerts {wakesAt}': TIMER,
  'delete sessions {$or}': TIMER,
  'find refused_entries {sender}': 'asked when entries are refused, of which some are kept for each sender',
  'find sessions {accountId}': RARE,
  'delete sessions {accountId}': 'an account signs out everywhere, or ends',
  'find profiles {$and}': SEARCH,
  'find profiles {claim.key}': SEARCH,
  'find profiles {name,spaceId}': SEARCH,
  'find profiles {batch}': LEFT,
  'update profiles {batch}': LEFT,
  'delete profiles {batch}': LEFT,
  'find claims {owner}': 'a person or an account is erased',
  'find accounts {spaceId}': RARE,
  'aggregate accounts {role,spaceId}': 'an admin loses the role',
  'find audit {spaceId}': RARE,
  'find audit {$or,spaceId}': RARE,
  'find audit {action,network,spaceId}': RARE,
  'find refused_entries {at}': RARE,
  'find refused_entries {at,project}': RARE,
  'find refused_entries {at,source}': RARE,
};

const of = (filter: unknown, isOfOne = false): Target => ({ filter: fieldsIn(filter), isOfOne });

const fieldsIn = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? { ...value } : {};

const listIn = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.map(fieldsIn) : []);

const targetsOf = ({ commandName, command }: CommandStartedEvent): readonly Target[] => {
  switch (commandName) {
    case 'find':
      return [of(command.filter)];
    case 'aggregate':
      return [of(listIn(command.pipeline)[0]?.$match)];
    case 'distinct':
    case 'count':
      return [of(command.query)];
    case 'findAndModify':
      return [of(command.query, true)];
    case 'update':
      return listIn(command.updates).map(({ q, multi }) => of(q, multi !== true));
    case 'delete':
      return listIn(command.deletes).map(({ q, limit }) => of(q, limit === 1));
    default:
      return [];
  }
};

const keyOf = (collection: string): ShardKey | undefined =>
  generationOfTable(collection) === null
    ? { ...READ_MODEL_SHARD_KEYS, ...OPERATIONAL_SHARD_KEYS }[collection]
    : ROW_SHARD_KEY;

const RANGE = ['$gt', '$gte', '$lt', '$lte'];

/** Whether the filter names the ids, or a range of them where the ids of a shard are a range. */
const holdsKey = ({ filter, isOfOne }: Target, key: ShardKey): boolean => {
  const { _id } = filter;
  if (typeof _id === 'string' || typeof _id === 'number') return true;
  if (isOfOne) return false;
  const condition = fieldsIn(_id);
  return Array.isArray(condition.$in) || (key === 'ranged' && RANGE.some((name) => name in condition));
};

const isMeant = (command: string, collection: string, fields: string): boolean =>
  [collection, '*'].some((name) => EVERYWHERE[`${command} ${name} {${fields}}`] !== undefined);

/** Null: nothing is wrong. */
const faultIn = (event: CommandStartedEvent): string | null => {
  const collection = event.command[event.commandName];
  const targets = targetsOf(event);
  if (targets.length === 0 || typeof collection !== 'string') return null;
  const key = keyOf(collection);
  if (key === undefined) return `${collection} has no shard key`;
  if (UNIQUE_BY_INDEX.includes(collection) && !withClaims.has(event.databaseName)) return null;
  for (const target of targets.filter((one) => !holdsKey(one, key))) {
    const name = generationOfTable(collection) === null ? collection : 'rows';
    const fields = Object.keys(target.filter).map((field) => field.replace(/^r\.k\..*/, 'r.k'));
    const shape = fields.sort().join();
    const command = `${event.commandName} ${name} {${shape}}`;
    if (target.isOfOne) return `${command} changes one document and does not name its shard key`;
    if (!isMeant(event.commandName, name, shape)) return `${command} goes to every shard`;
  }
  return null;
};

const faults = new Set<string>();

/** Databases whose association ids and emails have claims, as those of a mongos. */
const withClaims = new Set<string>();

/** Begins the empty database of this URL as a mongos would have it begun. Call it before a store is opened there. */
export const beginWithClaims = async (url: string): Promise<void> => {
  const client = new MongoClient(url);
  const record = { _id: HAS_CLAIMS };
  const sum = contentSum({ in: 'layout', content: record });
  await client
    .db()
    .collection<{ readonly _id: string; readonly sum: number }>('layout')
    .insertOne({ ...record, sum });
  withClaims.add(client.db().databaseName);
  await client.close();
};

/** The clients of the stores are their own; all of them tell what they send by this. */
MongoClient.prototype.emit = function (this: MongoClient, name: string | symbol, ...values: unknown[]) {
  const [event] = values;
  const fault = name === 'commandStarted' ? faultIn(event as CommandStartedEvent) : null;
  if (fault !== null) faults.add(fault);
  return EventEmitter.prototype.emit.call(this, name, ...values);
};

/** The URL for a store whose commands are watched. */
export const watched = (url: string): string => `${url}${url.includes('?') ? '&' : '?'}monitorCommands=true`;

/** Throws when a command of a watched store did not hold its shard key. Forgets it. */
export const requireShardKeys = (): void => {
  const found = [...faults].sort();
  faults.clear();
  if (found.length > 0) throw new Error(`not right for a sharded MongoDB:\n${found.join('\n')}`);
};
