/**
 * The body of a Logplex drain as log entries: syslog messages (RFC 5424, without structured data), each after its length in
 * bytes. Source: README.http_drains.md of Logplex.
 */
import { v5 as uuidOf } from 'uuid';
import { invalidRequest } from '../../http/problems/invalid-request.js';
import { type GivenEntry, type LogplexForm, requireFewEntries } from './log-body.js';

/** Namespace of the ids of messages. Never changed: a body that is sent again would be other entries. */
const MESSAGE_IDS = '6b1a8a62-5a30-4a4e-8f0b-2f4c0d9be7a4';

/** By the lowest three bits of the priority. The names are those of `metadata.level`. */
const LEVELS = ['emergency', 'alert', 'critical', 'error', 'warning', 'notice', 'info', 'debug'];
const FACILITIES =
  'kern user mail daemon auth syslog lpr news uucp cron authpriv ftp ntp audit alert clock local0 local1 local2 local3 local4 local5 local6 local7'.split(
    ' ',
  );

const MESSAGE = /^<(\d{1,3})>1 (\S+) (\S+) (\S+) (\S+) (\S+)(?: (.*))?$/s;
const MAX_LENGTH_DIGITS = 8;
const SPACE = 0x20;
const LINE_ENDS = [0x0a, 0x0d];

/** Throws RejectedError `invalid-request` for a body that is none of a drain. */
export const logplexEntries = (bytes: Uint8Array, { count, frameId }: LogplexForm): readonly GivenEntry[] => {
  const messages = messagesIn(bytes);
  requireFewEntries(messages.length);
  const entries = messages.map((text, index) => {
    const place = `messages[${index}]`;
    const id = frameId === null ? null : uuidOf(`${frameId}/${index}`, MESSAGE_IDS);
    return { value: { id, ...fieldsOf(text, place) }, place };
  });
  if (count !== null && count !== entries.length)
    throw refused('Logplex-Msg-Count', `says ${count}, but the body has ${entries.length} messages`);
  return entries;
};

const messagesIn = (bytes: Uint8Array): readonly string[] => {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const messages: string[] = [];
  for (let at = startOf(body, 0); at < body.length; ) {
    const place = `messages[${messages.length}]`;
    const space = body.subarray(at, at + MAX_LENGTH_DIGITS + 1).indexOf(SPACE);
    const digits = body.toString('latin1', at, at + Math.max(space, 0));
    if (!/^\d+$/.test(digits)) throw refused(place, 'must begin with its length in bytes and a space');
    const start = at + space + 1;
    const end = start + Number(digits);
    if (end > body.length) throw refused(place, `must have ${digits} bytes; ${body.length - start} are left`);
    messages.push(body.toString('utf8', start, end));
    at = startOf(body, end);
  }
  return messages;
};

/** Skips line ends between messages: some senders leave them out of the length. */
const startOf = (body: Buffer, from: number): number => {
  let at = from;
  while (LINE_ENDS.includes(body[at] ?? SPACE)) at++;
  return at;
};

const fieldsOf = (text: string, place: string) => {
  const match = MESSAGE.exec(text);
  if (!match) throw refused(place, 'must be a syslog message: <priority>1 time host app process id text');
  const [, priority, time, host, app, process, messageId, message = ''] = match;
  const number = Number(priority);
  const facility = FACILITIES[number >> 3];
  if (facility === undefined) throw refused(place, 'must have a priority of 0 to 191');
  const given = { host, app_name: app, proc_id: process, msg_id: messageId };
  return {
    timestamp: time === '-' ? null : time,
    event_message: message.replace(/\r?\n$/, ''),
    metadata: {
      level: LEVELS[number & 7],
      facility,
      ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== '-')),
    },
  };
};

const refused = (field: string, says: string) =>
  invalidRequest([{ field, rule: 'logplex', message: `${field} ${says}` }]);
