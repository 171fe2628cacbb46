/**
 * The standard catalogue: official and former events of the association, and widespread unofficial events. A space
 * starts with the official ones; a contest adds others. An event that is not listed here is defined by the data of
 * its contest.
 */
import type { RoundFormat, ValueFormat } from '../../domain/attempts.js';
import type { EventDefinition } from '../aggregates/space/space.events.js';

type Row = readonly [eventId: string, name: string, defaultRoundFormat: RoundFormat];

const OFFICIAL: readonly Row[] = [
  ['333', '3x3x3 Cube', 'a'],
  ['222', '2x2x2 Cube', 'a'],
  ['444', '4x4x4 Cube', 'a'],
  ['555', '5x5x5 Cube', 'a'],
  ['666', '6x6x6 Cube', 'm'],
  ['777', '7x7x7 Cube', 'm'],
  ['333bf', '3x3x3 Blindfolded', '3'],
  ['333fm', '3x3x3 Fewest Moves', 'm'],
  ['333oh', '3x3x3 One-Handed', 'a'],
  ['clock', 'Clock', 'a'],
  ['minx', 'Megaminx', 'a'],
  ['pyram', 'Pyraminx', 'a'],
  ['skewb', 'Skewb', 'a'],
  ['sq1', 'Square-1', 'a'],
  ['444bf', '4x4x4 Blindfolded', '3'],
  ['555bf', '5x5x5 Blindfolded', '3'],
  ['333mbf', '3x3x3 Multi-Blind', '3'],
];

/** Formerly official events, listed after the official ones. */
const FORMER: readonly Row[] = [
  ['333ft', '3x3x3 With Feet', 'm'],
  ['magic', 'Magic', 'a'],
  ['mmagic', 'Master Magic', 'a'],
  ['333mbo', '3x3x3 Multi-Blind Old Style', '3'],
];

const UNOFFICIAL: readonly Row[] = [
  ['fto', 'Face-Turning Octahedron', 'a'],
  ['333_team_bld', '3x3x3 Team-Blind', '3'],
  ['333_mirror_blocks', '3x3x3 Mirror Blocks', 'a'],
  ['333_mirror_blocks_bld', '3x3x3 Mirror Blocks Blindfolded', '3'],
  ['333_speed_bld', '3x3x3 Speed-Blind', '3'],
  ['333_no_inspection', '3x3x3 No Inspection', 'a'],
  ['333_match_the_scramble', '3x3x3 Match the Scramble', 'a'],
  ['333_siamese', '3x3x3 Siamese Cube', 'a'],
  ['222_oh', '2x2x2 One-Handed', 'a'],
  ['222_bld', '2x2x2 Blindfolded', '3'],
  ['square1_bld', 'Square-1 Blindfolded', '3'],
  ['snake', 'Rubik’s Snake', 'a'],
  ['gear_cube', 'Gear Cube', 'a'],
  ['magic_oh', 'Magic One-Handed', 'a'],
  ['rainbow_cube', 'Rainbow Cube', 'm'],
  ['rubiks_360', 'Rubik’s 360', '3'],
  ['relay_222_333_444', '2x2x2–4x4x4 Relay', '1'],
  ['relay_333_333_333', '3x3x3 Three Cubes Relay', '1'],
];

const FORMATS: Readonly<Record<string, ValueFormat>> = {
  '333fm': 'number',
  '333mbf': 'multi',
  '333mbo': 'multi',
};
const PARTICIPANTS: Readonly<Record<string, number>> = { '333_team_bld': 2 };

const define =
  (category: string, firstRank: number) =>
  ([eventId, name, defaultRoundFormat]: Row, index: number): EventDefinition => ({
    eventId,
    name,
    category,
    rank: firstRank + index * 10,
    format: FORMATS[eventId] ?? 'time',
    defaultRoundFormat,
    participants: PARTICIPANTS[eventId] ?? 1,
    description: null,
  });

/** First rank of events that the catalogue does not list. */
const UNKNOWN_RANK = 3000;

const officialEvents = [...OFFICIAL.map(define('wca', 10)), ...FORMER.map(define('wca', 900))];
const catalogue: ReadonlyMap<string, EventDefinition> = new Map(
  [...officialEvents, ...UNOFFICIAL.map(define('unofficial', 1000))].map((event) => [event.eventId, event]),
);

/** The events of a new space, in display order. */
export const OFFICIAL_EVENTS: readonly EventDefinition[] = officialEvents.slice(0, OFFICIAL.length);

/** Returns null when the catalogue does not list the event. */
export const catalogueEvent = (eventId: string): EventDefinition | null => catalogue.get(eventId) ?? null;

/** Defines an event that the catalogue does not list, from the data of a contest. */
export const unknownEvent = (
  eventId: string,
  known: { readonly defaultRoundFormat: RoundFormat; readonly participants: number },
): EventDefinition => ({
  eventId,
  name: nameFromId(eventId),
  category: 'unofficial',
  rank: UNKNOWN_RANK,
  format: 'time',
  description: null,
  ...known,
});

/** `333_cube_mile` as `3x3x3 Cube Mile`. */
const nameFromId = (eventId: string): string =>
  eventId
    .split(/[_-]+/)
    .filter((part) => part !== '')
    .map((part) =>
      /^(\d)\1\1?$/.test(part) ? [...part].join('x') : part.charAt(0).toUpperCase() + part.slice(1),
    )
    .join(' ') || eventId;
