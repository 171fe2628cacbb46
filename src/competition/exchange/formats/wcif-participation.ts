/**
 * How competitors reach a round in WCIF 2. There each round says where its competitors come from (`participationRuleset`).
 * In WCIF 1 and in Podium a round says who leaves it. Podium has neither linked rounds nor reserved places.
 */
import type { Advancement, RoundFormat, ValueFormat } from '../../../domain/attempts.js';
import { ROUND_FORMATS } from '../../../domain/attempts.js';
import { ranksByAverage } from '../../../domain/scoring.js';
import { cappedAdvancement } from './capped-advancement.js';
import type { Fault } from './contest-file.js';
import type { JsonCursor } from './json-cursor.js';
import { multiFromWcif } from './wcif-multi.js';

/**
 * Returns the advancements that the rounds of one event say, by the id of the round that competitors leave. What Podium
 * does not have is noted. Throws FaultError.
 */
export const readParticipation = (
  rounds: readonly JsonCursor[],
  valueFormat: ValueFormat,
  notes: Fault[],
): ReadonlyMap<string, Advancement> => {
  const found = new Map<string, Advancement>();
  for (const round of rounds) {
    const note = (cursor: JsonCursor, reason: string): number => notes.push({ ...cursor.place, reason });
    const linked = round.optional('linkedRounds');
    if (linked && linked.items().length > 0)
      note(linked, 'linked rounds are read as single rounds: Podium does not join their results');
    const ruleset = round.optional('participationRuleset');
    const reserved = ruleset?.optional('reservedPlaces');
    if (reserved) note(reserved, 'reserved places are not read');
    const source = ruleset?.optional('participationSource');
    if (!source) continue;
    const type = source.field('type').oneOf(['registrations', 'round', 'linkedRounds']);
    const condition = source.optional('resultCondition');
    if (type === 'registrations' || !condition) continue;
    if (type === 'linkedRounds') {
      note(condition, 'the advancement from linked rounds is not read');
      continue;
    }
    const roundId = source.field('roundId').string();
    const from = rounds.find((each) => each.optional('id')?.string() === roundId);
    if (!from) {
      note(condition, `the advancement from ${roundId} is not read: the event has no such round`);
      continue;
    }
    const advancement = readCondition(condition, { from, valueFormat, notes });
    if (advancement) found.set(roundId, advancement);
  }
  return found;
};

const readCondition = (
  condition: JsonCursor,
  {
    from,
    valueFormat,
    notes,
  }: { readonly from: JsonCursor; readonly valueFormat: ValueFormat; readonly notes: Fault[] },
): Advancement | null => {
  const type = condition.field('type').oneOf(['ranking', 'percent', 'resultAchieved']);
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
