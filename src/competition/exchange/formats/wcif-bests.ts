/** Reads the `personalBests` of a person of a WCIF: the best single and average of each event, in any contest so far. */
import { isEventId } from '../../../domain/ids.js';
import type { KnownBest } from '../../../domain/known-bests.js';
import { VALUE_KINDS } from '../../../domain/results.js';
import { catalogueEvent } from '../../spaces/catalogue.js';
import type { JsonCursor } from './json-cursor.js';
import { multiFromWcif } from './wcif-multi.js';

/** Its values have another encoding, and it is no event any more. */
const NOT_READ = '333mbo';

export const readBests = (person: JsonCursor): readonly KnownBest[] =>
  (person.optional('personalBests')?.items() ?? []).flatMap((item): readonly KnownBest[] => {
    const id = item.field('eventId');
    const eventId = id.string();
    if (!isEventId(eventId)) id.fail(`is “${eventId}”, which is no id of an event`);
    const kind = item.field('type').oneOf(VALUE_KINDS);
    const best = item.field('best');
    if (best.integer() < 1) best.fail(`is ${best.integer()}; a best is at least 1`);
    if (eventId === NOT_READ) return [];
    const isMulti = catalogueEvent(eventId)?.format === 'multi';
    return [{ eventId, kind, value: isMulti ? multiFromWcif(best.integer()) : best.integer() }];
  });
