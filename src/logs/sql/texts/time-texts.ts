/**
 * Decides which texts are times: those that both the dialect and the engine accept. Literals and parameters are checked
 * before the query runs. A text in an entry that is not a time is NULL.
 */
import { refuse } from '../query-problem.js';
import type { Span } from '../tree.js';

const DATE = /^(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})/;
/** Seconds are optional, unless a fraction or the name of a zone follows. */
const TIME = /^[T ](?:(?<whole>\d{1,2}:\d{1,2}:\d{1,2}(?:\.\d{1,9})?)|\d{2}:\d{2})/;
const OFFSET = /^(?:Z|[+-](?<hours>\d{2})(?::?(?<minutes>\d{2}))?)$/;
const ZONE = /^ (?<name>[A-Za-z][A-Za-z0-9_+\-/]*)$/;

export const readsAsTime = (text: string): boolean => {
  const date = DATE.exec(text);
  if (date === null || !isDay(date.groups ?? {})) return false;
  const afterDate = text.slice(date[0].length);
  if (afterDate === '') return true;
  const time = TIME.exec(afterDate);
  if (time === null || !isTimeOfDay(time[0].slice(1))) return false;
  const zone = afterDate.slice(time[0].length);
  if (zone === '') return true;
  const offset = OFFSET.exec(zone);
  if (offset !== null)
    return Number(offset.groups?.hours ?? 0) <= 14 && Number(offset.groups?.minutes ?? 0) < 60;
  const name = ZONE.exec(zone)?.groups?.name;
  return name !== undefined && time.groups?.whole !== undefined && isZoneName(name);
};

/** Throws Refusal when a literal is not a time. */
export const checkTimeText = (text: string, span: Span): void => {
  if (!readsAsTime(text))
    refuse(span, "this text is no time; write one as in '2026-03-17T14:47:02Z', or see TIMESTAMP_SUB");
};

/** Whether the name is an IANA time zone. */
export const isZoneName = (name: string): boolean => {
  if (!/^[A-Za-z][A-Za-z0-9_+\-/]*$/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};

const isDay = ({ year, month, day }: Readonly<Record<string, string | undefined>>): boolean => {
  const moment = new Date(0);
  moment.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  return (
    Number(year) > 0 && moment.getUTCMonth() + 1 === Number(month) && moment.getUTCDate() === Number(day)
  );
};

const isTimeOfDay = (text: string): boolean => {
  const [hours = 0, minutes = 0, seconds = 0] = text.split(':').map(Number);
  return hours < 24 && minutes < 60 && seconds < 60;
};
