/** What is decided on the venues of a schedule and their rooms. */
import { accept, reject } from '../../domain/decider.js';
import { isSameData } from '../../domain/equality.js';
import { invalid } from '../../domain/rejections.js';
import type { Room, ScheduleState, Venue } from './schedule.events.js';
import {
  MAX_ROOMS,
  MAX_VENUES,
  plainRoom,
  plainVenue,
  refuse,
  roomNotFound,
  roomProblems,
  type ScheduleDecision,
  tooMany,
  venueProblems,
} from './schedule-rules.js';

export type VenueCommand =
  /** Without an id: adds it, unless there is an equal one. */
  | { readonly type: 'SetVenue'; readonly venueId: number | null; readonly venue: Omit<Venue, 'venueId'> }
  | { readonly type: 'RemoveVenue'; readonly venueId: number }
  | { readonly type: 'SetRoom'; readonly roomId: number | null; readonly room: Omit<Room, 'roomId'> }
  | { readonly type: 'RemoveRoom'; readonly roomId: number };

type CommandOf<T extends VenueCommand['type']> = Extract<VenueCommand, { type: T }>;

export const setVenue = (
  { venueId, venue }: CommandOf<'SetVenue'>,
  state: ScheduleState,
): ScheduleDecision => {
  const errors = venueProblems(venue);
  if (errors.length > 0) return reject(invalid(errors));
  const { venues, lastIds } = state;
  if (venueId !== null) {
    const before = venues.get(venueId);
    if (before === undefined) return refuse('venue-not-found', `there is no venue ${venueId}`);
    const data = plainVenue({ ...venue, venueId });
    return isSameData(before, data) ? accept() : accept({ type: 'VenueSet', data });
  }
  const data = plainVenue({ ...venue, venueId: lastIds.venue + 1 });
  if (venues.some((known) => isSameData({ ...known, venueId: data.venueId }, data))) return accept();
  return venues.size >= MAX_VENUES ? tooMany('venues', MAX_VENUES) : accept({ type: 'VenueSet', data });
};

export const removeVenue = (
  { venueId }: CommandOf<'RemoveVenue'>,
  state: ScheduleState,
): ScheduleDecision => {
  if (!state.venues.has(venueId)) return accept();
  return state.rooms.some((room) => room.venueId === venueId)
    ? refuse('schedule', 'the venue has rooms: remove them first')
    : accept({ type: 'VenueRemoved', data: { venueId } });
};

export const setRoom = ({ roomId, room }: CommandOf<'SetRoom'>, state: ScheduleState): ScheduleDecision => {
  const errors = roomProblems(room);
  if (errors.length > 0) return reject(invalid(errors));
  const { rooms, venues, lastIds } = state;
  if (!venues.has(room.venueId)) return refuse('venue-not-found', `there is no venue ${room.venueId}`);
  if (roomId !== null) {
    const before = rooms.get(roomId);
    if (before === undefined) return roomNotFound(roomId);
    const data = plainRoom({ ...room, roomId });
    return isSameData(plainRoom(before), data) ? accept() : accept({ type: 'RoomSet', data });
  }
  const data = plainRoom({ ...room, roomId: lastIds.room + 1 });
  if (rooms.some((known) => isSameData(plainRoom({ ...known, roomId: data.roomId }), data))) return accept();
  return rooms.size >= MAX_ROOMS ? tooMany('rooms', MAX_ROOMS) : accept({ type: 'RoomSet', data });
};

export const removeRoom = ({ roomId }: CommandOf<'RemoveRoom'>, state: ScheduleState): ScheduleDecision => {
  if (!state.rooms.has(roomId)) return accept();
  return state.activities.some((activity) => activity.roomId === roomId)
    ? refuse('schedule', 'the room has activities: move or remove them first')
    : accept({ type: 'RoomRemoved', data: { roomId } });
};
