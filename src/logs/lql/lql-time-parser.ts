/**
 * The part of LQL's grammar for times: `t:` and everything that may follow it, down to the digits of a date.
 * written-times.ts turns the digits into times.
 */
import type { IToken } from 'chevrotain';
import { EmbeddedActionsParser } from './chevrotain.js';
import { expectations } from './lql-expectations.js';
import type { Unsigned } from './lql-terms.js';
import { comparisonOf, spanOf } from './lql-texts.js';
import * as T from './lql-tokens.js';
import type { TimeTest } from './lql-tree.js';
import * as times from './time-terms.js';
import type { WrittenClock, WrittenPart, WrittenZone } from './written-times.js';

/** Base class of the parser. The subclass adds the other rules and analyses the whole grammar. */
export abstract class LqlTimeParser extends EmbeddedActionsParser {
  constructor() {
    super(T.ALL_TOKENS, { errorMessageProvider: expectations, maxLookahead: 2 });
  }

  protected readonly time = this.RULE('time', (): Unsigned => {
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
}

const written = ({ image, startOffset }: IToken) => ({ text: image, offset: startOffset });

const part = (digits: IToken): WrittenPart => ({
  low: digits.image,
  high: digits.image,
  span: spanOf(digits),
});
