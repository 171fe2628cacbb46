/** What is known from outside the small world: reference records, and bests that persons had in contests elsewhere. */
import type { CommandBus } from '@nestjs/cqrs';
import fc from 'fast-check';
import { LearnBests } from '../../src/competition/persons/person.commands.js';
import { ImportReferences } from '../../src/competition/references/references.commands.js';
import { at, CONTEXT, personAt, type RanHistory, type StepCommand } from './ran-history.js';

const EVENT_IDS = ['cube', 'moves', 'blind', 'pair'] as const;
const KINDS = ['single', 'average'] as const;
const DATES = ['2020-02-29', '2020-03-01', '2020-03-02', '2021-06-01', '2022-01-01'] as const;

/** About as good as the results of the small world, which have the same values. A mean of moves is 100 times the count. */
const VALUES: Readonly<
  Record<(typeof EVENT_IDS)[number], Readonly<Record<(typeof KINDS)[number], readonly number[]>>>
> = {
  cube: { single: [900, 901, 1000, 1100, 60_050], average: [900, 1000, 1001, 1100, 60_050] },
  moves: { single: [24, 25, 26], average: [2400, 2500, 2533, 2600] },
  blind: { single: [998_000_360_000_001, 998_100_300_000_000], average: [998_000_360_000_001] },
  pair: { single: [900, 1000, 1100], average: [900, 1000, 1100] },
};

interface Value {
  readonly eventId: (typeof EVENT_IDS)[number];
  readonly kind: (typeof KINDS)[number];
  readonly value: number;
}

const value: fc.Arbitrary<Value> = fc
  .record({ eventId: fc.constantFrom(...EVENT_IDS), kind: fc.constantFrom(...KINDS), pick: fc.nat(20) })
  .map(({ eventId, kind, pick }) => {
    const values = VALUES[eventId][kind];
    return { eventId, kind, value: at(values, pick % values.length) };
  });

const reference = fc
  .record({
    value,
    category: fc.constantFrom('competitions' as const, 'competitions' as const, 'meetups' as const),
    region: fc.constantFrom(null, 'XE', 'XA', 'IE', 'DE', 'JP'),
    since: fc.constantFrom(...DATES),
    who: fc.constantFrom('Rose', 'Ned', null),
  })
  .map(({ value: of, ...rest }) => ({ ...of, ...rest }));

const keyOf = ({ eventId, kind, category, region, since }: ReferenceChoice): string =>
  [eventId, kind, category, region, since].join();

export interface ReferenceChoice extends Value {
  readonly category: 'competitions' | 'meetups';
  readonly region: string | null;
  readonly since: string;
  readonly who: string | null;
}

export type ReferenceStep =
  /** The whole set. */
  | { readonly step: 'references'; readonly references: readonly ReferenceChoice[] }
  | {
      readonly step: 'bests';
      readonly person: number;
      readonly on: string;
      readonly bests: readonly Value[];
    };

export const referenceSteps = (person: fc.Arbitrary<number>): fc.Arbitrary<ReferenceStep> =>
  fc.oneof(
    fc.record({
      step: fc.constant('references' as const),
      references: fc.uniqueArray(reference, { maxLength: 12, selector: keyOf }),
    }),
    fc.record({
      step: fc.constant('bests' as const),
      person,
      on: fc.constantFrom(...DATES),
      bests: fc.array(value, { minLength: 1, maxLength: 4 }),
    }),
  );

export const referenceCommand = (commands: CommandBus, ran: RanHistory, step: ReferenceStep): StepCommand => {
  switch (step.step) {
    case 'references': {
      const { references } = step;
      const rows = references.map(({ eventId: event, ...rest }) => ({ event, ...rest }));
      const source = { format: 'json', name: 'JSON', bytes: Buffer.from(JSON.stringify(rows)) } as const;
      return {
        execute: () => commands.execute(new ImportReferences(ran.spaceId, source, null, CONTEXT)),
        facts: [{ fact: 'references', references }],
      };
    }
    case 'bests': {
      const { on, bests } = step;
      const personId = personAt(ran, step.person);
      return {
        execute: () => commands.execute(new LearnBests(personId, on, bests, CONTEXT)),
        facts: [{ fact: 'bests', personId, on, bests }],
      };
    }
    default:
      return step satisfies never;
  }
};
