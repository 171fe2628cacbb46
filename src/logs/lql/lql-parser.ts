/**
 * The grammar of LQL. Each rule returns its part of the syntax tree. Rules that a grammar cannot express, such as the
 * days of a month, are checked by the functions that build the part; these throw LqlFault.
 */
import type { IToken } from 'chevrotain';
import { aggregateOf, bucketOf, columnOf, fieldOf, termOf, type Unsigned } from './lql-terms.js';
import { barePattern, bareText, comparisonOf, quotedPattern, quotedText, spanOf } from './lql-texts.js';
import { LqlTimeParser } from './lql-time-parser.js';
import * as T from './lql-tokens.js';
import type { FieldTest, LqlBoolean, LqlColumn, LqlRegex, LqlTerm, LqlText } from './lql-tree.js';

class LqlParser extends LqlTimeParser {
  constructor() {
    super();
    this.performSelfAnalysis();
  }

  readonly query = this.RULE('query', (): readonly LqlTerm[] => {
    const terms: LqlTerm[] = [];
    this.OPTION(() => {
      terms.push(this.SUBRULE(this.term));
      this.MANY(() => {
        this.CONSUME(T.Gap);
        terms.push(this.SUBRULE1(this.term));
      });
    });
    return terms;
  });

  private readonly term = this.RULE('term', (): LqlTerm => {
    const minus = this.OPTION(() => this.CONSUME(T.Minus)) ?? null;
    const first = this.LA(1);
    const unsigned = this.OR<Unsigned>([
      { ALT: () => this.SUBRULE(this.message) },
      { ALT: () => this.SUBRULE(this.field) },
      { ALT: () => this.SUBRULE(this.time) },
      { ALT: () => this.SUBRULE(this.table) },
      { ALT: () => this.SUBRULE(this.column) },
      { ALT: () => this.SUBRULE(this.aggregate) },
    ]);
    return this.ACTION(() => termOf(minus, unsigned, spanOf(minus ?? first, this.LA(0))));
  });

  private readonly message = this.RULE('message', (): Unsigned => {
    const test = this.OR<LqlText | LqlRegex>([
      {
        ALT: () => {
          this.CONSUME(T.MessageTilde);
          return this.SUBRULE(this.regex);
        },
      },
      { ALT: () => quoted(this.CONSUME(T.Quoted)) },
      { ALT: () => bare(this.CONSUME(T.Word)) },
    ]);
    return { kind: 'message', test };
  });

  private readonly regex = this.RULE(
    'regex',
    (): LqlRegex =>
      this.OR<LqlRegex>([
        { ALT: () => regex(this.CONSUME(T.Quoted), quotedPattern) },
        { ALT: () => regex(this.CONSUME(T.Regex), barePattern) },
      ]),
  );

  private readonly field = this.RULE('field', (): Unsigned => {
    const prefix = this.CONSUME(T.FieldPrefix);
    const test = this.OR<FieldTest>([
      {
        ALT: () => {
          const operator = this.CONSUME(T.Comparing);
          const value = this.SUBRULE(this.text);
          return { kind: 'comparison', operator: comparisonOf(operator), value };
        },
      },
      {
        ALT: () => {
          this.CONSUME(T.FieldTilde);
          return this.SUBRULE(this.regex);
        },
      },
      {
        ALT: () => {
          this.CONSUME(T.IncludesRegex);
          return { kind: 'includes', item: this.SUBRULE1(this.regex) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(T.Includes);
          return { kind: 'includes', item: this.SUBRULE(this.item) };
        },
      },
      { ALT: () => ({ kind: 'null', span: spanOf(this.CONSUME(T.Null)) }) },
      { ALT: () => this.SUBRULE(this.boolean) },
      { ALT: () => this.SUBRULE(this.textOrRange) },
    ]);
    return this.ACTION(() => ({ kind: 'field', field: fieldOf(prefix), test }));
  });

  private readonly text = this.RULE(
    'text',
    (): LqlText =>
      this.OR<LqlText>([
        { ALT: () => quoted(this.CONSUME(T.Quoted)) },
        { ALT: () => bare(this.CONSUME(T.Scalar)) },
      ]),
  );

  private readonly boolean = this.RULE(
    'boolean',
    (): LqlBoolean =>
      this.OR<LqlBoolean>([
        { ALT: () => ({ kind: 'boolean', value: true, span: spanOf(this.CONSUME(T.True)) }) },
        { ALT: () => ({ kind: 'boolean', value: false, span: spanOf(this.CONSUME(T.False)) }) },
      ]),
  );

  private readonly item = this.RULE('item', (): LqlText | LqlBoolean =>
    this.OR<LqlText | LqlBoolean>([
      { ALT: () => this.SUBRULE(this.text) },
      { ALT: () => this.SUBRULE(this.boolean) },
    ]),
  );

  private readonly textOrRange = this.RULE('textOrRange', (): FieldTest => {
    const low = this.SUBRULE(this.text);
    const high = this.OPTION(() => {
      this.CONSUME(T.DotDot);
      return this.SUBRULE1(this.text);
    });
    return high ? { kind: 'range', low, high } : low;
  });

  private readonly table = this.RULE('table', (): Unsigned => {
    this.CONSUME(T.TablePrefix);
    const name = this.CONSUME(T.Name);
    return { kind: 'table', table: { name: name.image, span: spanOf(name) } };
  });

  private readonly column = this.RULE('column', (): Unsigned => {
    this.CONSUME(T.ColumnPrefix);
    const column = this.OR<LqlColumn>([
      { ALT: () => ({ path: null, alias: null, span: spanOf(this.CONSUME(T.Star)) }) },
      {
        ALT: () => {
          const path = this.CONSUME(T.Name);
          const alias = this.OPTION(() => {
            this.CONSUME(T.At);
            return this.CONSUME1(T.Name);
          });
          return this.ACTION(() => columnOf(path, alias ?? null));
        },
      },
    ]);
    return { kind: 'column', column };
  });

  private readonly aggregate = this.RULE('aggregate', (): Unsigned => {
    this.CONSUME(T.AggregatePrefix);
    return this.OR<Unsigned>([
      {
        ALT: () => {
          const word = this.CONSUME(T.GroupBy);
          this.CONSUME(T.OpenParenthesis);
          const field = this.CONSUME(T.Name);
          this.CONSUME(T.ColonColon);
          const bucket = this.CONSUME1(T.Name);
          const end = this.CONSUME(T.CloseParenthesis);
          return this.ACTION(() => ({
            kind: 'grouping',
            grouping: { bucket: bucketOf(field, bucket), span: spanOf(word, end) },
          }));
        },
      },
      {
        ALT: () => {
          const name = this.CONSUME2(T.Name);
          this.CONSUME1(T.OpenParenthesis);
          const of = this.OR1<IToken>([
            { ALT: () => this.CONSUME(T.Star) },
            { ALT: () => this.CONSUME3(T.Name) },
          ]);
          const end = this.CONSUME1(T.CloseParenthesis);
          return this.ACTION(() => ({
            kind: 'aggregate',
            aggregate: aggregateOf(name, of, spanOf(name, end)),
          }));
        },
      },
    ]);
  });
}

const quoted = (token: IToken): LqlText => ({
  kind: 'text',
  value: quotedText(token),
  quoted: true,
  span: spanOf(token),
});

const bare = (token: IToken): LqlText => ({
  kind: 'text',
  value: bareText(token),
  quoted: false,
  span: spanOf(token),
});

const regex = (token: IToken, patternOf: (token: IToken) => string): LqlRegex => ({
  kind: 'regex',
  pattern: patternOf(token),
  span: spanOf(token),
});

/** One shared parser. Parsing is synchronous, and setting the input resets it. */
export const lqlParser = new LqlParser();
