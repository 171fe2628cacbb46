/**
 * Codes of activities in a schedule, in the association's notation: `333-r1`, `333-r1-g2`, `333mbf-r1-a2`,
 * `333mbf-r1-g1-a2`, `other-lunch`. A code of any other form stands for itself.
 */
import { type RoundRef, roundCode } from './attempts.js';
import { isEventId } from './ids.js';

export interface ActivityCode extends RoundRef {
  /** Null: all groups. */
  readonly group: number | null;
  /** Null: all attempts. */
  readonly attempt: number | null;
}

const ROUND = /^([A-Za-z0-9_-]+?)-r([1-9]\d?)(?:-g([1-9]\d?))?(?:-a([1-9]\d?))?$/;
const ANY = /^[A-Za-z0-9_-]{1,100}$/;

/** What else happens at a contest, with the names that the association gives it. */
export const OTHER_ACTIVITIES: Readonly<Record<string, string>> = {
  'other-registration': 'Registration',
  'other-checkin': 'Check-in',
  'other-tutorial': 'Tutorial for newcomers',
  'other-multi': 'Cube submission for multi-blind',
  'other-breakfast': 'Breakfast',
  'other-lunch': 'Lunch',
  'other-dinner': 'Dinner',
  'other-awards': 'Awards',
  'other-setup': 'Set-up',
  'other-teardown': 'Teardown',
  'other-misc': 'Other',
};

export const isActivityCode = (text: string): boolean => ANY.test(text);

/** Returns null for a code that names no round. */
export const parseActivityCode = (code: string): ActivityCode | null => {
  const [, eventId = '', round, group, attempt] = ROUND.exec(code) ?? [];
  if (code.startsWith('other-') || !isEventId(eventId)) return null;
  return { eventId, roundNumber: Number(round), group: numberOf(group), attempt: numberOf(attempt) };
};

const numberOf = (digits: string | undefined): number | null =>
  digits === undefined ? null : Number(digits);

export const activityCode = ({ group, attempt, ...round }: ActivityCode): string =>
  [roundCode(round), group && `g${group}`, attempt && `a${attempt}`].filter(Boolean).join('-');

/** Whether the code is `whole`, or names a part of it: `333-r1-g2` is a part of `333-r1`. */
export const isPartOf = (code: string, whole: string): boolean => {
  const [part, all] = [parseActivityCode(code), parseActivityCode(whole)];
  if (part === null || all === null) return code === whole || code.startsWith(`${whole}-`);
  return (
    roundCode(part) === roundCode(all) &&
    (all.group === null || all.group === part.group) &&
    (all.attempt === null || all.attempt === part.attempt)
  );
};
