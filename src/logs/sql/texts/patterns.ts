/**
 * Checks regular expressions, which have RE2's syntax. An invalid pattern is refused with the place of the error before
 * the query runs. Also counts the groups. Source: RE2's syntax page.
 */

export interface PatternFault {
  readonly message: string;
  /** 0-based offset in the pattern. */
  readonly offset: number;
}

export interface Pattern {
  /** Null: the engine accepts the pattern. */
  readonly fault: PatternFault | null;
  /** Number of capturing groups. */
  readonly groups: number;
}

export const checkPattern = (pattern: string): Pattern => {
  const reader = new PatternReader(pattern);
  try {
    reader.readAll();
    return { fault: null, groups: reader.groups };
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    return { fault: { message: error.message, offset: error.offset }, groups: reader.groups };
  }
};

const MAX_REPEAT = 1000;
const MAX_DEPTH = 200;
const MAX_LENGTH = 4096;

class PatternError extends Error {
  constructor(
    message: string,
    readonly offset: number,
  ) {
    super(message);
    this.name = 'PatternError';
  }
}

/** A part that can be repeated, with the number of copies of its smallest part that the engine creates. */
interface Atom {
  readonly copies: number;
}

class PatternReader {
  groups = 0;
  private at = 0;
  private depth = 0;

  constructor(private readonly pattern: string) {}

  readAll(): void {
    if (this.pattern.length > MAX_LENGTH)
      throw new PatternError(`at most ${MAX_LENGTH} characters`, MAX_LENGTH);
    this.alternatives();
    if (this.at < this.pattern.length) throw new PatternError('a ) without its (', this.at);
  }

  private alternatives(): number {
    let copies = 1;
    do copies = Math.max(copies, this.sequence());
    while (this.take('|'));
    return copies;
  }

  private sequence(): number {
    let most = 1;
    let last: Atom | null = null;
    while (this.at < this.pattern.length && !this.stands('|') && !this.stands(')')) {
      const start = this.at;
      const times = this.repetition();
      if (times === null) last = this.atom();
      else if (last === null) throw new PatternError('nothing to repeat', start);
      else {
        const copies: number = last.copies * times;
        if (copies > MAX_REPEAT) throw new PatternError(`repeats more than ${MAX_REPEAT} times`, start);
        if (this.repetition() !== null) throw new PatternError('two repetitions in a row', start);
        most = Math.max(most, copies);
        last = null;
        continue;
      }
      most = Math.max(most, last.copies);
    }
    return most;
  }

  /** Parses a repetition and returns its largest written bound. Returns null without a repetition. */
  private repetition(): number | null {
    const found = /(?:[*+?]|\{(\d+)(,(\d*))?\})\??/y;
    found.lastIndex = this.at;
    const match = found.exec(this.pattern);
    if (match === null) return null;
    const low = Number(match[1] ?? 0);
    const high = match[3] === undefined || match[3] === '' ? low : Number(match[3]);
    if (low > MAX_REPEAT || high > MAX_REPEAT)
      throw new PatternError(`repeats more than ${MAX_REPEAT} times`, this.at);
    if (high < low) throw new PatternError('the bounds of this repetition are the wrong way round', this.at);
    this.at += match[0].length;
    return Math.max(1, high);
  }

  private atom(): Atom {
    if (this.stands('(')) return { copies: this.group() };
    if (this.stands('[')) this.characterClass();
    else if (this.stands('\\')) this.escape();
    else this.at += this.character().length;
    return { copies: 1 };
  }

  private group(): number {
    const start = this.at;
    if (++this.depth > MAX_DEPTH) throw new PatternError('too many groups in each other', start);
    this.at++;
    if (this.take('?')) {
      const named = /P?<([A-Za-z_][A-Za-z0-9_]*)>/y;
      const flags = /[imsU]*(?:-[imsU]+)?([:)])/y;
      if (this.skip(named) !== null) this.groups++;
      else {
        const match = this.skip(flags);
        if (match === null)
          throw new PatternError('groups are (…), (?:…), (?P<name>…) or (?flags); no looking around', start);
        if (match[1] === ')') {
          this.depth--;
          return 1;
        }
      }
    } else this.groups++;
    const copies = this.alternatives();
    if (!this.take(')')) throw new PatternError('this ( is not closed', start);
    this.depth--;
    return copies;
  }

  private characterClass(): void {
    const start = this.at;
    this.at++;
    this.take('^');
    for (let first = true; first || !this.stands(']'); first = false) {
      if (this.at >= this.pattern.length) throw new PatternError('this [ is not closed', start);
      if (
        this.skip(
          /\[:\^?(?:alnum|alpha|ascii|blank|cntrl|digit|graph|lower|print|punct|space|upper|word|xdigit):\]/y,
        )
      )
        continue;
      const from = this.at;
      const low = this.classCharacter();
      if (!this.stands('-') || this.pattern[this.at + 1] === ']' || this.at + 1 >= this.pattern.length)
        continue;
      this.at++;
      const high = this.classCharacter();
      if (low === null || high === null || high < low)
        throw new PatternError('a range of characters the wrong way round', from);
    }
    this.at++;
  }

  /** Parses one character of a class and returns its code; null for a class such as \d. */
  private classCharacter(): number | null {
    if (this.stands('\\')) return this.escape();
    const character = this.character();
    this.at += character.length;
    return character.codePointAt(0) ?? null;
  }

  /** Parses one escape and returns the code of its character; null for a class or an assertion. */
  private escape(): number | null {
    const start = this.at;
    const quoted = this.skip(/\\Q[\s\S]*?(?:\\E|$)/y);
    if (quoted !== null || this.skip(/\\[dDsSwWbBAzC]/y) !== null) return null;
    const hex = this.skip(/\\x(?:([0-9A-Fa-f]{2})|\{([0-9A-Fa-f]{1,6})\})/y);
    if (hex !== null) return Number.parseInt(hex[1] ?? hex[2] ?? '0', 16);
    const octal = this.skip(/\\(0[0-7]{0,2}|[1-7][0-7]{1,2})/y);
    if (octal !== null) return Number.parseInt(octal[1] ?? '0', 8);
    const property = this.skip(/\\[pP](?:([A-Z])|\{\^?([A-Za-z_]+)\})/y);
    if (property !== null) {
      if (!isUnicodeClass(property[1] ?? property[2] ?? ''))
        throw new PatternError('no such class of characters', start);
      return null;
    }
    const plain = this.skip(/\\(?:([aftnrv])|([^A-Za-z0-9\s]|\P{ASCII}))/uy);
    if (plain === null) throw new PatternError(`${this.pattern.slice(start, start + 2)} is no escape`, start);
    return (plain[2] ?? plain[1] ?? '').codePointAt(0) ?? null;
  }

  private character(): string {
    return String.fromCodePoint(this.pattern.codePointAt(this.at) ?? 0);
  }

  private stands(text: string): boolean {
    return this.pattern.startsWith(text, this.at);
  }

  private take(text: string): boolean {
    if (!this.stands(text)) return false;
    this.at += text.length;
    return true;
  }

  private skip(sticky: RegExp): RegExpExecArray | null {
    sticky.lastIndex = this.at;
    const match = sticky.exec(this.pattern);
    if (match !== null) this.at += match[0].length;
    return match;
  }
}

const isUnicodeClass = (name: string): boolean =>
  name === 'Any' || [name, `Script=${name}`].some((property) => isProperty(property));

const isProperty = (property: string): boolean => {
  try {
    new RegExp(`\\p{${property}}`, 'u');
    return true;
  } catch {
    return false;
  }
};

/** The pattern that matches this text alone. */
export const escapedPattern = (text: string): string => text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');
