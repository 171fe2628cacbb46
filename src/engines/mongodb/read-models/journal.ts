/**
 * The journal of commits, written before their rows. A process that finds a decided commit with missing rows writes them
 * from it, and readers take the replaced rows from it. It is kept as lines of text in few large documents, because a
 * server inserts those far faster than rows; long texts of rebuilds are compressed.
 */
import { promisify } from 'node:util';
import { constants, crc32, deflateRaw, inflateRaw } from 'node:zlib';
import { Binary, type Collection } from 'mongodb';
import type { Position } from '../../../foundation/event-store/event-store.js';
import { StoreDamagedError } from '../../../foundation/integrity/damage.js';
import { chunksOf } from '../chunks.js';
import { textSum } from '../content-sum.js';
import type { JournalDocument, Row } from './documents.js';

/** A row on its way into the collection of that name in the database. */
export interface RowWrite {
  readonly table: string;
  readonly id: string;
  readonly row: Row;
  /** Whether there is certainly no row under this id. */
  readonly isNew: boolean;
}

/** The row under an id before an entry; `body` null: there was none. */
export interface RowBefore extends Pick<RowWrite, 'table' | 'id'> {
  readonly body: string | null;
}

/** In characters, few of which take more than one byte: well below the size limit of a document. */
const MAX_TEXT_LENGTH = 4_000_000;
const INSERT_AT_ONCE = 8;

/** Texts are compressed from this many characters on. */
const PACKED_FROM = 64 * 1024;

const deflated = promisify<string, object, Buffer>(deflateRaw);
const inflated = promisify<Uint8Array, Buffer>(inflateRaw);

const packed = async (text: string): Promise<string | Binary> =>
  text.length < PACKED_FROM ? text : new Binary(await deflated(text, { level: constants.Z_BEST_SPEED }));

const unpacked = async (text: string | Binary): Promise<string> =>
  typeof text === 'string' ? text : (await inflated(text.value())).toString();

type Kind = 'redo' | 'undo';

/** The first versions did not write `isNew`. Without it a row is written too, only slower. */
type RedoHead = [table: string, id: string, at: Position, k: Row['k'] | null, isNew?: boolean];

/** Two lines for each row: its head, then its body as JSON, which has no line break. */
const redoLines = ({ table, id, row: { at, b, k }, isNew }: RowWrite): string =>
  `${JSON.stringify([table, id, at, k ?? null, isNew] satisfies RedoHead)}\n${b ?? ''}\n`;

const undoLines = ({ table, id, body }: RowBefore): string =>
  `${JSON.stringify([table, id])}\n${body ?? ''}\n`;

const textsOf = (lines: Iterable<string>): string[] => {
  const texts: string[] = [];
  let text = '';
  for (const line of lines) {
    if (text !== '' && text.length + line.length > MAX_TEXT_LENGTH) {
      texts.push(text);
      text = '';
    }
    text += line;
  }
  if (text !== '') texts.push(text);
  return texts;
};

/** The journal of an entry, as the log refers to it. */
export interface JournalPart {
  readonly token: string;
  readonly redo: number;
  readonly undo: number;
}

export class Journal {
  readonly #documents: Collection<JournalDocument>;

  constructor(documents: Collection<JournalDocument>) {
    this.#documents = documents;
  }

  /** `after`: current sequence of the log. The journal is kept until the log is far beyond it. */
  async write(
    token: string,
    after: number,
    { redo, undo }: { readonly redo: readonly RowWrite[]; readonly undo: readonly RowBefore[] },
  ): Promise<JournalPart> {
    const [redoTexts, undoTexts] = [textsOf(redo.map(redoLines)), textsOf(undo.map(undoLines))];
    // Nodes of the first versions read journals with undo too, and they know only plain text.
    const isForReaders = undo.length > 0;
    const pieces = (kind: Kind, texts: readonly string[]): Promise<JournalDocument>[] =>
      texts.map(async (text, place) =>
        summed({
          _id: idOf(token, kind, place),
          token,
          after,
          text: isForReaders ? text : await packed(text),
        }),
      );
    const documents = await Promise.all([...pieces('redo', redoTexts), ...pieces('undo', undoTexts)]);
    for (const some of chunksOf(documents, INSERT_AT_ONCE)) await this.#documents.insertMany(some);
    return { token, redo: redoTexts.length, undo: undoTexts.length };
  }

  /** Null: the journal was dropped, because the entry was applied meanwhile or is old. Throws StoreDamagedError. */
  async redo({ token, redo }: JournalPart): Promise<readonly RowWrite[] | null> {
    const text = await this.#read(token, 'redo', redo);
    if (text === null) return null;
    const writes: RowWrite[] = [];
    for (const [head, body] of pairsOf(text)) {
      const [table, id, at, k, isNew = false] = decode<RedoHead>(head);
      const row = { at, ...(body !== '' && { b: body }), ...(k && { k }), s: textSum(body) };
      writes.push({ table, id, row, isNew });
    }
    return writes;
  }

  /** Null: the journal was dropped, because the entry is old. Throws StoreDamagedError. */
  async undo({ token, undo }: JournalPart): Promise<readonly RowBefore[] | null> {
    const text = await this.#read(token, 'undo', undo);
    if (text === null) return null;
    return [...pairsOf(text)].map(([head, body]) => {
      const [table, id] = decode<[string, string]>(head);
      return { table, id, body: body === '' ? null : body };
    });
  }

  /** Moves the journal to an entry after this sequence. Returns false when a part of it was dropped. */
  async keepAfter(part: JournalPart, after: number): Promise<boolean> {
    const ids = idsOf(part);
    const { matchedCount } = await this.#documents.updateMany({ _id: { $in: ids } }, { $set: { after } });
    return matchedCount === ids.length;
  }

  async drop(part: JournalPart): Promise<void> {
    await this.#documents.deleteMany({ _id: { $in: idsOf(part) } });
  }

  /** Drops what was written when the log was before `sequence`, but for these. */
  async prune(sequence: number, kept: readonly string[]): Promise<void> {
    await this.#documents.deleteMany({ after: { $lt: sequence }, token: { $nin: [...kept] } });
  }

  async makeIndex(): Promise<void> {
    await this.#documents.createIndex({ after: 1 }, { name: 'after' });
  }

  async #read(token: string, kind: Kind, count: number): Promise<string | null> {
    const found = await Promise.all(
      idsOfKind(token, kind, count).map((_id) => this.#documents.findOne({ _id })),
    );
    const texts = await Promise.all(found.flatMap((document) => (document ? [textOf(document)] : [])));
    return texts.length === count ? texts.join('') : null;
  }
}

const sumOf = ({ _id, text }: JournalDocument): number =>
  crc32(typeof text === 'string' ? text : text.buffer, crc32(_id)) | 0;

const summed = (document: JournalDocument): JournalDocument => ({ ...document, sum: sumOf(document) });

const textOf = (document: JournalDocument): Promise<string> => {
  const { _id, text, sum } = document;
  if (sum === undefined || sum === sumOf(document)) return unpacked(text);
  const reason = 'its checksum does not fit its content';
  throw new StoreDamagedError({ store: 'read-models', place: `journal, document ${_id}`, reason });
};

const idOf = (token: string, kind: Kind, place: number): string => `${token}/${kind}/${place}`;

const idsOfKind = (token: string, kind: Kind, count: number): string[] =>
  Array.from({ length: count }, (_, place) => idOf(token, kind, place));

const idsOf = ({ token, redo, undo }: JournalPart): string[] => [
  ...idsOfKind(token, 'redo', redo),
  ...idsOfKind(token, 'undo', undo),
];

function* pairsOf(text: string): Generator<readonly [string, string]> {
  for (let start = 0; start < text.length; ) {
    const middle = text.indexOf('\n', start);
    const end = text.indexOf('\n', middle + 1);
    yield [text.slice(start, middle), text.slice(middle + 1, end)];
    start = end + 1;
  }
}

/** Codec: the journal is read by the code that wrote it, or in an upgrade by that of the version after it. */
const decode = <T>(text: string): T => JSON.parse(text) as T;
