/** Finds spaces and events in the read models, and refuses those that do not exist. */
import { type EventRef, eventKey } from '../../domain/references.js';
import { RejectedError } from '../../domain/rejections.js';
import type { ReadView } from '../../foundation/read-models/read-model-store.js';
import { type CatalogueDocument, catalogue, type SpaceDocument, spaces } from './events.projection.js';

/** Throws RejectedError `space-not-found`. */
export const requireSpace = async (view: ReadView, spaceId: string): Promise<SpaceDocument> => {
  const space = await view.get(spaces, spaceId);
  if (space) return space;
  throw new RejectedError({ code: 'space-not-found', detail: `There is no space ${spaceId}.` });
};

/** Throws RejectedError `space-not-found`, `event-not-found`. */
export const requireEvent = async (
  view: ReadView,
  spaceId: string,
  eventId: string,
): Promise<CatalogueDocument> =>
  (await view.get(catalogue, eventKey({ spaceId, eventId }))) ?? refuseEvent(view, { spaceId, eventId });

/** For an event that is not in the catalogue. Throws RejectedError `space-not-found`, `event-not-found`. */
export const refuseEvent = async (view: ReadView, { spaceId, eventId }: EventRef): Promise<never> => {
  await requireSpace(view, spaceId);
  throw new RejectedError({
    code: 'event-not-found',
    detail: `There is no event ${eventId} in space ${spaceId}.`,
  });
};

/** All events of a space in display order: rank, then id. */
export const eventsOf = (view: ReadView, spaceId: string): Promise<readonly CatalogueDocument[]> =>
  view.scan(catalogue, { index: 'bySpace', equals: { spaceId } });
