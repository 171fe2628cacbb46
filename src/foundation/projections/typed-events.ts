/**
 * Codec: types a stored event, in this one place. Deciders wrote the events in these types, and older schemas are
 * lifted before a projection sees them.
 */
import type { DomainEvent } from '../../domain/decider.js';
import type { ProjectedEvent } from './projection.js';

/** Returns the event, typed as the union of its stream. */
export const domainEvent = <E extends DomainEvent>(event: ProjectedEvent): E => event as unknown as E;
