/** Competitors of a contest: their states as texts, whom a search finds, and what comes next for one of them. */
import type { ListedCompetitorView } from '../../src/competition/contests/competitor-list.commands.js';
import type { AppointmentView } from '../../src/competition/schedule/schedule.queries.js';

export const STATE_NAMES: Readonly<Record<ListedCompetitorView['state'], string>> = {
  registered: 'Registered',
  'checked-in': 'Checked in',
  withdrawn: 'Withdrawn',
};

/** Ignores case and accents. */
const folded = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();

/** By a part of the name, or by the whole number. */
export const isMatch = (
  { number, person }: Pick<ListedCompetitorView, 'number' | 'person'>,
  search: string,
): boolean => {
  const wanted = folded(search.trim());
  if (/^\d+$/.test(wanted)) return String(number) === wanted;
  return folded(`${person.name} ${person.localizedName ?? ''}`).includes(wanted);
};

/** What a competitor has to do now, and next. */
export interface Agenda {
  readonly now: ReadonlySet<AppointmentView>;
  /** Several when they begin together. */
  readonly next: ReadonlySet<AppointmentView>;
}

/** `appointments`: by expected start. Where a moderator marks what begins and ends, the marks count. `at`: an instant. */
export const agendaAt = (appointments: readonly AppointmentView[], at: string): Agenda => {
  const open = appointments.filter(({ endedAt, startedAt, expectedEnd }) =>
    endedAt === null ? startedAt !== null || expectedEnd > at : endedAt > at,
  );
  const now = open.filter(({ startedAt, expectedStart }) => (startedAt ?? expectedStart) <= at);
  const [first] = open.filter((each) => !now.includes(each));
  const next = open.filter((each) => each.expectedStart === first?.expectedStart && !now.includes(each));
  return { now: new Set(now), next: new Set(next) };
};
