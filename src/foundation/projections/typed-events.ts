/**
 * Codec: the events of the store are trusted to be what the deciders of their type have written (older schemas are
 * lifted before a projection sees them), and are typed here, once.
 */
import type { DomainEvent } from '../../domain/decider.js';
import type { ProjectedEvent } from './projection.js';

/** The event as one of the union that its stream holds. */
export const domainEvent = <E extends DomainEvent>(event: ProjectedEvent): E => event as unknown as E;
