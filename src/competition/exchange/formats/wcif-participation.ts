/**
 * How competitors reach a round in WCIF 2. There each round says where its competitors come from (`participationRuleset`).
 * In WCIF 1 and in Podium a round says who leaves it. Podium has neither linked rounds nor reserved places, and keeps both
 * for exports.
 */
import {
  type Advancement,
  ROUND_FORMATS,
  type RoundFormat,
  type ValueFormat,
} from '../../../domain/attempts.js';

import { parseRoundCode } from '../../../domain/ids.js';
import { ranksByAverage } from '../../../domain/scoring.js';
import type { ResultCondition, RoundParticipation } from '../../aggregates/contest/contest.js';
import type { EventDefinition } from '../../aggregates/space/space.events.js';
import { cappedAdvancement } from './capped-advancement.js';
import type { Fault } from './contest-file.js';
import type { JsonCursor } from './json-cursor.js';
import { multiFromWcif } from './wcif-multi.js';
import { readCountry } from './wcif-persons.js';

export interface Participation {
  /** By the id of the round that competitors leave. */
  readonly advancements: ReadonlyMap<string, Advancement>;
  /** What Podium only keeps. */
  readonly kept: readonly RoundParticipation[];
}

export const NO_PARTICIPATION: Participation = { advancements: new Map(), kept: [] };

/** Reads how competitors come to the rounds of one event. What Podium does not apply is noted. Throws FaultError. */
export const readParticipation = (
  rounds: readonly JsonCursor[],
  { eventId, format: valueFormat }: Pick<EventDefinition, 'eventId' | 'format'>,
  notes: Fault[],
): Participation => {
  const advancements = new Map<string, Advancement>();
  const kept: RoundParticipation[] = [];
  for (const round of rounds) {
    const ruleset = round.optional('participationRuleset');
    const source = ruleset?.optional('participationSource') ?? null;
    const code = parseRoundCode(round.optional('id')?.text() ?? '');
    if (code?.eventId === eventId) {
      const own = { ...code, ...keptOf(round, { ruleset, source, notes }) };
      if (own.linkedRounds !== null || own.source !== null || own.reservedPlaces !== null) kept.push(own);
    }
    if (source === null || sourceType(source) !== 'round') continue;
    const condition = source.optional('resultCondition');
    if (!condition) continue;
    const roundId = source.field('roundId').string();
    const from = rounds.find((each) => each.optional('id')?.string() === roundId);
    if (!from) {
      const reason = `the advancement from ${roundId} is not read: the event has no such round`;
      notes.push({ ...condition.place, reason });
      continue;
    }
    const advancement = readCondition(condition, { from, valueFormat, notes });
    if (advancement) advancements.set(roundId, advancement);
  }
  return { advancements, kept };
};

const sourceType = (source: JsonCursor): 'registrations' | 'round' | 'linkedRounds' =>
  source.field('type').oneOf(['registrations', 'round', 'linkedRounds']);

const KEPT = 'Podium keeps that for exports as WCIF 2 and does not apply it';

/** What Podium only keeps, in the terms of WCIF 2. Throws FaultError. */
const keptOf = (
  round: JsonCursor,
  {
    ruleset,
    source,
    notes,
  }: { readonly ruleset: JsonCursor | null; readonly source: JsonCursor | null; readonly notes: Fault[] },
): Omit<RoundParticipation, 'eventId' | 'roundNumber'> => {
  const note = (cursor: JsonCursor, reason: string): number => notes.push({ ...cursor.place, reason });
  const linked = round.optional('linkedRounds');
  const linkedRounds = linked?.items().map((id) => id.nonEmptyString()) ?? [];
  if (linked && linkedRounds.length > 0) note(linked, `the results of linked rounds are not joined: ${KEPT}`);
  const reserved = ruleset?.optional('reservedPlaces') ?? null;
  if (reserved) note(reserved, `there are reserved places: ${KEPT}`);
  const linkedSource = source !== null && sourceType(source) === 'linkedRounds' ? source : null;
  if (linkedSource) note(linkedSource, `competitors come from linked rounds: ${KEPT}`);
  return {
    linkedRounds: linkedRounds.length > 0 ? linkedRounds : null,
    source: linkedSource && {
      roundIds: linkedSource
        .field('roundIds')
        .items()
        .map((id) => id.nonEmptyString()),
      resultCondition: keptCondition(linkedSource.optional('resultCondition')),
    },
    reservedPlaces: reserved && {
      nationalities: reserved.field('nationalities').items().map(readCountry),
      count: reserved.field('count').integer(),
    },
  };
};

const keptCondition = (condition: JsonCursor | null): ResultCondition | null =>
  condition && {
    type: condition.field('type').oneOf(CONDITIONS),
    scope: condition.field('scope').oneOf(['single', 'average']),
    value: condition.optional('value')?.integer() ?? null,
  };

const CONDITIONS = ['ranking', 'percent', 'resultAchieved'] as const;

const readCondition = (
  condition: JsonCursor,
  {
    from,
    valueFormat,
    notes,
  }: { readonly from: JsonCursor; readonly valueFormat: ValueFormat; readonly notes: Fault[] },
): Advancement | null => {
  const type = condition.field('type').oneOf(CONDITIONS);
  const scope = condition.optional('scope');
  const format = ROUND_FORMATS.find((known) => known === from.optional('format')?.string());
  if (scope && format && scope.oneOf(['single', 'average']) !== scopeOf(format)) {
    const reason = `the scope “${scope.string()}” is not read: a round of format ${format} ranks by ${scopeOf(format)}`;
    notes.push({ ...scope.place, reason });
    if (type === 'resultAchieved') return null;
  }
  return advancementOf(KINDS[type], { value: condition.field('value'), valueFormat, notes });
};

const KINDS = { ranking: 'number', percent: 'percent', resultAchieved: 'value' } as const;

/** Reads the value of an advancement in either version. Throws FaultError. */
export const advancementOf = (
  type: Advancement['type'],
  {
    value,
    valueFormat,
    notes,
  }: { readonly value: JsonCursor; readonly valueFormat: ValueFormat; readonly notes: Fault[] },
): Advancement => {
  const given = value.integer();
  const isMulti = type === 'value' && valueFormat === 'multi';
  return cappedAdvancement({ type, value: isMulti ? multiFromWcif(given) : given }, value.place, notes);
};

/** The value by which a round of this format ranks. */
export const scopeOf = (format: RoundFormat): 'single' | 'average' =>
  ranksByAverage(format) ? 'average' : 'single';
