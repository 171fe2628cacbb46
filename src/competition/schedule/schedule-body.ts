/** Reads the request bodies of schedules. Only shapes are checked here; the decider checks the values. */
import { anInteger, aText, JsonFields, listOf, oneOf, orNull } from '../../http/body/json-fields.js';
import type { ScheduleChange } from './schedule.commands.js';

type ChangeOf<T extends ScheduleChange['type']> = Extract<ScheduleChange, { type: T }>;

const DEFAULT_COLOUR = '#304a96';

const aBoolean = {
  name: 'boolean',
  allowed: 'true or false',
  read: (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined),
};

/** Each throws RejectedError `invalid-request`. */
const read = <T>(body: unknown, fill: (fields: JsonFields) => T): T => {
  const fields = JsonFields.of(body);
  const filled = fill(fields);
  fields.check();
  return filled;
};

export const readVenue = (body: unknown, venueId: number | null): ChangeOf<'SetVenue'> =>
  read(body, (fields) => ({
    type: 'SetVenue',
    venueId,
    venue: {
      name: fields.needed('name', aText, ''),
      address: fields.given('address', orNull(aText), null),
      regionCode: fields.given('regionCode', orNull(aText), null),
      latitudeMicrodegrees: fields.given('latitudeMicrodegrees', orNull(anInteger), null),
      longitudeMicrodegrees: fields.given('longitudeMicrodegrees', orNull(anInteger), null),
      timeZone: fields.needed('timeZone', aText, 'UTC'),
    },
  }));

export const readRoom = (body: unknown, roomId: number | null): ChangeOf<'SetRoom'> =>
  read(body, (fields) => ({
    type: 'SetRoom',
    roomId,
    room: {
      venueId: fields.needed('venueId', anInteger, 0),
      name: fields.needed('name', aText, ''),
      colour: fields.given('colour', aText, DEFAULT_COLOUR),
    },
  }));

export const readActivity = (body: unknown, activityId: number | null): ChangeOf<'SetActivity'> =>
  read(body, (fields) => {
    const parentId = fields.given('parentId', orNull(anInteger), null);
    return {
      type: 'SetActivity',
      activityId,
      parentId,
      roomId:
        parentId === null
          ? fields.needed('roomId', anInteger, 0)
          : (fields.given('roomId', orNull(anInteger), null) ?? 0),
      code: fields.needed('code', aText, ''),
      name: fields.needed('name', aText, ''),
      start: fields.needed('start', aText, ''),
      end: fields.needed('end', aText, ''),
    };
  });

export const readSplit = (body: unknown, activityId: number): ChangeOf<'SplitActivity'> =>
  read(body, (fields) => ({
    type: 'SplitActivity',
    activityId,
    groups: fields.needed('groups', anInteger, 0),
  }));

export const readAssign = (body: unknown, activityId: number): ChangeOf<'Assign'> =>
  read(body, (fields) => ({
    type: 'Assign',
    activityId,
    personIds: fields.needed('personIds', listOf(anInteger), []),
    role: fields.given('role', aText, 'competitor'),
    station: fields.given('station', orNull(anInteger), null),
  }));

export const readAssignGroups = (body: unknown, code: string): ChangeOf<'AssignGroups'> =>
  read(body, (fields) => ({
    type: 'AssignGroups',
    code,
    stations: fields.given('stations', orNull(anInteger), null),
    judges: fields.given('judges', aBoolean, false),
  }));

export const readUndoStep = (body: unknown, activityId: number): ChangeOf<'UndoStep'> =>
  read(body, (fields) => ({
    type: 'UndoStep',
    activityId,
    step: fields.needed('step', oneOf(['start', 'end']), 'start'),
  }));

export const readDelay = (body: unknown, at: string): ChangeOf<'DelayRooms'> =>
  read(body, (fields) => ({
    type: 'DelayRooms',
    roomId: fields.given('roomId', orNull(anInteger), null),
    from: fields.given('from', orNull(anInteger), null),
    minutes: fields.needed('minutes', anInteger, 0),
    at,
  }));

export const readUndoDelay = (body: unknown): ChangeOf<'UndoDelay'> =>
  read(body, (fields) => ({
    type: 'UndoDelay',
    roomId: fields.needed('roomId', anInteger, 0),
    at: fields.needed('at', aText, ''),
  }));
