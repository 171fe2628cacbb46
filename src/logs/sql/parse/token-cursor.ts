/**
 * Reads the tokens of a query one by one. It limits how deeply the parser nests, so a query cannot exhaust the stack. Its
 * errors say what was expected and what was found.
 */

import { refuse } from '../query-problem.js';
import type { Span } from '../tree.js';
import type { Token } from './lexer.js';

/** Limit of nested parentheses, subqueries and calls. */
const MAX_NESTING = 60;

export class TokenCursor {
  private at = 0;
  private depth = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  peek(ahead = 0): Token {
    const token = this.tokens[Math.min(this.at + ahead, this.tokens.length - 1)];
    if (token === undefined) throw new Error('a query has at least its end');
    return token;
  }

  next(): Token {
    const token = this.peek();
    this.at++;
    return token;
  }

  /** End offset of the last token that was read. */
  get lastEnd(): number {
    return this.tokens[this.at - 1]?.span.end ?? 0;
  }

  spanFrom(start: number): Span {
    return { start, end: this.lastEnd };
  }

  isWord(word: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === 'name' && !token.quoted && token.word === word;
  }

  isSign(sign: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === 'sign' && token.sign === sign;
  }

  /** Reads these words if they are all next. */
  takeWords(...words: readonly string[]): boolean {
    if (!words.every((word, ahead) => this.isWord(word, ahead))) return false;
    this.at += words.length;
    return true;
  }

  takeSign(sign: string): boolean {
    if (!this.isSign(sign)) return false;
    this.at++;
    return true;
  }

  expectWord(word: string): void {
    if (!this.takeWords(word)) this.unexpected(word.toUpperCase());
  }

  expectSign(sign: string): void {
    if (!this.takeSign(sign)) this.unexpected(`"${sign}"`);
  }

  unexpected(expected: string): never {
    const token = this.peek();
    return refuse(token.span, `expected ${expected}, found ${describe(token)}`);
  }

  /** Runs `parse` one level deeper. Throws Refusal at the nesting limit. */
  nested<T>(parse: () => T): T {
    if (++this.depth > MAX_NESTING)
      return refuse(this.peek().span, `a query nests at most ${MAX_NESTING} levels`);
    const result = parse();
    this.depth--;
    return result;
  }
}

const describe = (token: Token): string => {
  switch (token.kind) {
    case 'name':
      return token.quoted ? `\`${token.text}\`` : token.text;
    case 'text':
      return 'a text';
    case 'number':
      return `${token.value}`;
    case 'parameter':
      return `@${token.name}`;
    case 'sign':
      return `"${token.sign}"`;
    case 'end':
      return 'the end of the query';
  }
};
