/**
 * Reads JSON and keeps the line and column of every value. A WCIF file has tens of thousands of lines, so a fault
 * without a place would be useless. Values are checked here and have types afterwards.
 */
import { type Node, type ParseError, parseTree } from 'jsonc-parser';
import { wordsOf } from '../../../http/body/json-body.js';
import { FaultError, fail, type Place } from './contest-file.js';

export class JsonCursor {
  private constructor(
    private readonly source: JsonText,
    private readonly node: Node,
    /** The path to this value, such as `events[2].rounds`. */
    readonly path: string,
  ) {}

  /** Throws FaultError at the first place that is not JSON. */
  static parse(file: string, source: string): JsonCursor {
    const text = new JsonText(file, source.replace(/^\uFEFF/, ' '));
    const errors: ParseError[] = [];
    const root = treeOf(text, errors);
    const [error] = errors;
    if (error) fail(text.placeOf(error.offset), `no valid JSON: ${wordsOf(error)}`);
    if (!root) throw new FaultError({ ...text.placeOf(0), reason: 'no valid JSON: the file is empty' });
    return new JsonCursor(text, root, '');
  }

  get place(): Place {
    return this.source.placeOf(this.node.offset);
  }

  fail(reason: string): never {
    return fail(this.place, this.path === '' ? reason : `${this.path} ${reason}`);
  }

  /** Returns the field, or null when it is missing or null. */
  optional(name: string): JsonCursor | null {
    if (this.node.type !== 'object') return this.fail('is no object');
    const value = this.node.children?.find((property) => property.children?.[0]?.value === name)
      ?.children?.[1];
    return value === undefined || value.type === 'null' ? null : this.child(value, this.pathTo(name));
  }

  field(name: string): JsonCursor {
    return this.optional(name) ?? this.fail(`has no "${name}"`);
  }

  /** Returns the fields in the order of the file. */
  entries(): readonly (readonly [string, JsonCursor])[] {
    if (this.node.type !== 'object') return this.fail('is no object');
    return (this.node.children ?? []).flatMap((property) => {
      const [key, value] = property.children ?? [];
      return key && value ? [[String(key.value), this.child(value, this.pathTo(String(key.value)))]] : [];
    });
  }

  items(): readonly JsonCursor[] {
    if (this.node.type !== 'array') return this.fail('is no array');
    return (this.node.children ?? []).map((item, index) => this.child(item, `${this.path}[${index}]`));
  }

  string(): string {
    return this.text() ?? this.fail('is no text');
  }

  /** Returns the text, or null when the value is no text. */
  text(): string | null {
    const value: unknown = this.node.value;
    return typeof value === 'string' ? value : null;
  }

  nonEmptyString(): string {
    return this.string().trim() || this.fail('is empty');
  }

  integer(): number {
    const value: unknown = this.node.value;
    return typeof value === 'number' && Number.isSafeInteger(value)
      ? value
      : this.fail(`is ${this.shown()}; it must be a whole number`);
  }

  boolean(): boolean {
    const value: unknown = this.node.value;
    return typeof value === 'boolean' ? value : this.fail(`is ${this.shown()}; it must be true or false`);
  }

  oneOf<T extends string>(allowed: readonly T[]): T {
    const value: unknown = this.node.value;
    return (
      allowed.find((known) => known === value) ??
      this.fail(`is ${this.shown()}; it may be ${allowed.join(', ')}`)
    );
  }

  private shown(): string {
    const { offset, length } = this.node;
    return this.source.source.slice(offset, offset + Math.min(length, 80)).replaceAll(/\s+/g, ' ');
  }

  private pathTo(name: string): string {
    return this.path === '' ? name : `${this.path}.${name}`;
  }

  private child(node: Node, path: string): JsonCursor {
    return new JsonCursor(this.source, node, path);
  }
}

/** The parser is recursive, so a file that is nested too deep overflows the stack. */
const treeOf = (text: JsonText, errors: ParseError[]): Node | undefined => {
  try {
    return parseTree(text.source, errors, { disallowComments: true, allowTrailingComma: false });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return fail({ file: text.file, line: null, column: null }, 'no valid JSON: it is nested too deeply');
  }
};

/** A text that finds the line and column of an offset by binary search. */
class JsonText {
  private readonly lineStarts: number[] = [0];

  constructor(
    readonly file: string,
    readonly source: string,
  ) {
    for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1))
      this.lineStarts.push(at + 1);
  }

  placeOf(offset: number): Place {
    let low = 0;
    let high = this.lineStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.lineStarts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { file: this.file, line: low + 1, column: offset - (this.lineStarts[low] ?? 0) + 1 };
  }
}
