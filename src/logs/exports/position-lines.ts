/** An export with positions, page by page. */
import type { ResultColumn } from '../sql/compile.js';
import type { TailEntry } from '../tail/tail-member.js';
import type { ReadPage } from './entry-pages.js';

/** The lines of the format `positions`, each of them JSON. */
export type PositionLine = ExportHead | TailEntry | ExportProgress | ExportEnd;

/** The first line. */
export interface ExportHead {
  /** The export has no entry after this position. */
  readonly upTo: number;
  readonly columns: readonly ResultColumn[];
}

/** There is no further entry up to this position. It also keeps the connection alive. */
interface ExportProgress {
  readonly position: number;
}

/** The last line, without which the export is not whole. */
interface ExportEnd {
  readonly isWhole: true;
}

export async function* positionLines(
  pages: AsyncIterable<ReadPage>,
  head: ExportHead,
): AsyncGenerator<Buffer> {
  // The head goes with the first page, whose failure is answered before it.
  let before: readonly PositionLine[] = [head];
  for await (const { entries, upTo } of pages) {
    yield linesOf([...before, ...(entries.length > 0 ? entries : [{ position: upTo }])]);
    before = [];
  }
  yield linesOf([...before, { isWhole: true }]);
}

const linesOf = (lines: readonly PositionLine[]): Buffer =>
  Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
