/**
 * The grammar of LQL. Each rule gives its part of the syntax tree at once; what a grammar cannot say (how many days a
 * month has) is told as an LqlFault by whoever reads the part.
 */
import { EmbeddedActionsParser, type IToken } from 'chevrotain';
import { expectations } from './lql-expectations.js';
import { aggregateOf, bucketOf, columnOf, fieldOf, termOf, type Unsigned } from './lql-terms.js';
import { barePattern, bareText, comparisonOf, quotedPattern, quotedText, spanOf } from './lql-texts.js';
import * as T from './lql-tokens.js';
import type { FieldTest, LqlBoolean, LqlColumn, LqlRegex, LqlTerm, LqlText, TimeTest } from './lql-tree.js';
import * as times from './time-terms.js';
import type { WrittenClock, WrittenPart, WrittenZone } from './written-times.js';

class LqlParser extends EmbeddedActionsParser {
  constructor() {
    super(T.ALL_TOKENS, { errorMessageProvider: expectations, maxLookahead: 2 });
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

  private readonly time = this.RULE('time', (): Unsigned => {
    this.CONSUME(T.TimePrefix);
    const test = this.OR<TimeTest>([
      {
        ALT: () => {
          const operator = this.CONSUME(T.Comparing);
          const point = this.SUBRULE(this.point);
          return this.ACTION(() => times.comparedTo(comparisonOf(operator), point));
        },
      },
      {
        ALT: () => {
          this.CONSUME(T.Last);
          const amount = this.CONSUME(T.Digits);
          const unit = this.CONSUME(T.LetterWord);
          return this.ACTION(() => times.last(written(amount), written(unit)));
        },
      },
      {
        ALT: () => {
          this.CONSUME(T.This);
          const unit = this.CONSUME1(T.LetterWord);
          return this.ACTION(() => times.current(written(unit)));
        },
      },
      { ALT: () => this.SUBRULE(this.pointOrRange) },
    ]);
    return { kind: 'time', test };
  });

  private readonly pointOrRange = this.RULE('pointOrRange', (): TimeTest => {
    const first = this.SUBRULE(this.point);
    const last = this.OPTION(() => {
      this.CONSUME(T.DotDot);
      return this.SUBRULE1(this.point);
    });
    return this.ACTION(() => (last ? times.between(first, last) : times.at(first)));
  });

  private readonly point = this.RULE(
    'point',
    (): times.WrittenPoint =>
      this.OR<times.WrittenPoint>([
        { ALT: () => ({ kind: 'today', span: spanOf(this.CONSUME(T.Today)) }) },
        { ALT: () => ({ kind: 'yesterday', span: spanOf(this.CONSUME(T.Yesterday)) }) },
        { ALT: () => ({ kind: 'now', span: spanOf(this.CONSUME(T.Now)) }) },
        { ALT: () => this.SUBRULE(this.writtenTime) },
      ]),
  );

  private readonly writtenTime = this.RULE('writtenTime', (): times.WrittenPoint => {
    const first = this.LA(1);
    const year = this.SUBRULE(this.part);
    const rest = this.OPTION(() => {
      this.CONSUME(T.Dash);
      const month = this.SUBRULE1(this.part);
      this.CONSUME1(T.Dash);
      const day = this.SUBRULE2(this.part);
      const clock = this.OPTION1(() => this.SUBRULE(this.clock)) ?? null;
      return { month, day, clock };
    });
    const span = spanOf(first, this.LA(0));
    return rest ? { kind: 'date', year, ...rest, span } : { kind: 'unix', digits: year, span };
  });

  private readonly clock = this.RULE('clock', (): WrittenClock => {
    this.CONSUME(T.DateTimeLetter);
    const hour = this.SUBRULE(this.part);
    this.CONSUME(T.Colon);
    const minute = this.SUBRULE1(this.part);
    const rest = this.OPTION(() => {
      this.CONSUME1(T.Colon);
      const second = this.SUBRULE2(this.part);
      const fraction = this.OPTION1(() => {
        this.CONSUME(T.Dot);
        return this.SUBRULE3(this.part);
      });
      return { second, fraction: fraction ?? null };
    });
    const zone = this.OPTION2(() => this.SUBRULE(this.zone)) ?? null;
    return { hour, minute, second: rest?.second ?? null, fraction: rest?.fraction ?? null, zone };
  });

  private readonly zone = this.RULE('zone', (): WrittenZone | null =>
    this.OR<WrittenZone | null>([
      {
        ALT: () => {
          this.CONSUME(T.Zulu);
          return null;
        },
      },
      {
        ALT: () => {
          this.CONSUME(T.Plus);
          return { sign: 1, ...this.SUBRULE(this.offset) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(T.Dash);
          return { sign: -1, ...this.SUBRULE1(this.offset) };
        },
      },
    ]),
  );

  private readonly offset = this.RULE('offset', (): Omit<WrittenZone, 'sign'> => {
    const hours = part(this.CONSUME(T.Digits));
    this.CONSUME(T.Colon);
    return { hours, minutes: part(this.CONSUME1(T.Digits)) };
  });

  private readonly part = this.RULE(
    'part',
    (): WrittenPart =>
      this.OR<WrittenPart>([
        { ALT: () => part(this.CONSUME(T.Digits)) },
        {
          ALT: () => {
            const open = this.CONSUME(T.OpenBrace);
            const low = this.CONSUME1(T.Digits);
            this.CONSUME(T.DotDot);
            const high = this.CONSUME2(T.Digits);
            const close = this.CONSUME(T.CloseBrace);
            return { low: low.image, high: high.image, span: spanOf(open, close) };
          },
        },
      ]),
  );

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

const written = ({ image, startOffset }: IToken) => ({ text: image, offset: startOffset });

const part = (digits: IToken): WrittenPart => ({
  low: digits.image,
  high: digits.image,
  span: spanOf(digits),
});

/** One for all: parsing is synchronous, and each parse begins with its own input. */
export const lqlParser = new LqlParser();
