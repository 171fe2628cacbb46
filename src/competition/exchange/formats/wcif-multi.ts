/**
 * Converts multi results between WCIF (ten digits, `0DDTTTTTMM`, whole seconds) and Podium (fifteen digits). WCIF has
 * no hundredths, no details of a DNF, and fewer than 100 cubes. Writing cuts the first two and refuses the third.
 */
import { DNF } from '../../../domain/attempts.js';
import { decodeMulti, encodeMulti } from '../../../domain/scoring.js';

/** The special values 0, -1 and -2 are the same in both. */
export const multiFromWcif = (value: number): number => {
  if (value <= 0) return value;
  const missed = value % 100;
  const seconds = Math.floor(value / 100) % 100_000;
  const points = 99 - (Math.floor(value / 10_000_000) % 100);
  return encodeMulti({ solved: points + missed, missed, centiseconds: seconds * 100, dnf: false });
};

/** Returns null when WCIF cannot represent the value. */
export const multiToWcif = (value: number): number | null => {
  const multi = decodeMulti(value);
  if (!multi) return value;
  if (multi.dnf) return DNF;
  const seconds = Math.floor(multi.centiseconds / 100);
  if (multi.points < 0 || multi.points > 99 || multi.missed > 99 || seconds > 99_999) return null;
  return (99 - multi.points) * 10_000_000 + seconds * 100 + multi.missed;
};
