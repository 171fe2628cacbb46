/** A competitor's place on the competitor list of a contest. */

export const REGISTRATION_STATES = ['registered', 'checked-in', 'withdrawn'] as const;
export type RegistrationState = (typeof REGISTRATION_STATES)[number];

export interface Registration {
  /** In the order of the ids, each once. */
  readonly eventIds: readonly string[];
  /** `dropped`: a new list came without this competitor. */
  readonly state: RegistrationState | 'dropped';
  /** Whether an import left it so. A moderator or a program has changed it since: false. */
  readonly isImported: boolean;
}

/** Whether the competitor may be entered. */
export const isCompeting = ({ state }: Pick<Registration, 'state'>): boolean =>
  state === 'registered' || state === 'checked-in';

/** Whether the competitor may be entered in the event. */
export const isRegisteredFor = (registration: Registration | undefined, eventId: string): boolean =>
  registration !== undefined && isCompeting(registration) && registration.eventIds.includes(eventId);
