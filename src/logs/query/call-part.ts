/** Which part of what a filter finds a call asks for, by the query of its URL. The parameters of the endpoint are in the body. */
import { FieldReader, type Fields } from '../../http/body/fields.js';
import { MAX_ROWS } from '../endpoints/endpoint-rules.js';
import type { LqlPart } from '../lql/lql-part.js';
import { checkParameter } from '../sql/texts/parameters.js';

interface Place {
  readonly timestamp: string;
  readonly id: string;
}

const placeIn = (text: string): Place | undefined => {
  const [, timestamp = '', id = ''] = /^([^,]+),([^\0]+)$/.exec(text) ?? [];
  return id !== '' && checkParameter(timestamp, { as: 'timestamp' }) === null ? { timestamp, id } : undefined;
};

/** `limit`: rows of a page; the endpoint's limit holds, too. Throws RejectedError `invalid-request`. */
export const entriesPart = (query: Fields): LqlPart => {
  const fields = new FieldReader(query);
  const allowed = 'the timestamp and the id of an entry, such as 2026-03-17T14:47:02.123456Z,ID';
  const place = (field: string): Place | null =>
    fields.read<Place | null>(field, { name: 'place', allowed, read: placeIn }, null);
  const [before, after] = [place('before'), place('after')];
  const alone = { name: 'alone', allowed: 'missing when before is given', read: () => undefined };
  if (before !== null) fields.read('after', alone, null);
  const rows = fields.integer('limit', { from: 1, to: MAX_ROWS }, MAX_ROWS);
  fields.check();
  if (before !== null) return { kind: 'before', ...before, rows };
  return after === null ? { kind: 'newest', rows } : { kind: 'after', ...after, rows };
};

const FIELD = /^[A-Za-z_][\w$-]*(?:\.[\w$-]+)*$/;

/** Throws RejectedError `invalid-request`. */
export const valuesPart = ({ field = '', ...rest }: Fields): LqlPart => {
  const fields = new FieldReader({ ...rest, field });
  const read = (text: string): readonly string[] | undefined =>
    FIELD.test(text) ? text.split('.') : undefined;
  const rule = { name: 'field', allowed: 'the path of a field, such as m.response.status_code', read };
  const [first = '', ...inner] = fields.read<readonly string[]>('field', rule, []);
  fields.check();
  return { kind: 'values', field: [NAMES[first] ?? first, ...inner] };
};

/** As LQL writes them. */
const NAMES: Readonly<Record<string, string>> = { m: 'metadata', t: 'timestamp' };
