/**
 * Caps the share of a round that advances. Files of other systems may ask for more than Podium lets advance. The import
 * takes the largest share that the rules allow, and says so in a note.
 */
import { MAX_ADVANCEMENT_PERCENT } from '../../../domain/advancement.js';
import type { Advancement } from '../../../domain/attempts.js';
import { type Fault, type Place, placeOf } from './contest-file.js';

/** Adds a note when it caps. Leaves a share above 100 percent alone: the rules of a round refuse it. */
export const cappedAdvancement = (
  given: Advancement,
  place: Place,
  notes: { push(note: Fault): unknown },
): Advancement => {
  const { type, value } = given;
  if (type !== 'percent' || value <= MAX_ADVANCEMENT_PERCENT || value > 100) return given;
  const reason = `an advancement of ${value} percent is read as ${MAX_ADVANCEMENT_PERCENT} percent: no more of a round may advance`;
  notes.push({ ...placeOf(place), reason });
  return { type, value: MAX_ADVANCEMENT_PERCENT };
};
