import { describe, it } from '@jest/globals';
import { spaceDecider } from '../../../../src/competition/aggregates/space/space.decider.js';
import type {
  EventDefinition,
  SpaceEvent,
} from '../../../../src/competition/aggregates/space/space.events.js';
import { CUBE } from '../../../support/events-of-today.js';
import { givenOf } from '../../../support/given-when-then.js';

const given = givenOf(spaceDecider);

const created: SpaceEvent = { type: 'SpaceCreated', data: { spaceId: 'default', name: 'Default' } };
const defined: SpaceEvent = { type: 'EventDefined', data: CUBE };
const create = { type: 'CreateSpace', spaceId: 'default', name: 'Default', events: [CUBE] } as const;
const define = (change: Partial<EventDefinition>) =>
  ({ type: 'DefineEvent', event: { ...CUBE, ...change } }) as const;

describe('creating a space', () => {
  it('brings its catalogue', () => given([]).when(create).then([created, defined]));
  it('again changes nothing, whatever the catalogue has become', () =>
    given([created]).when(create).thenNothing());
  it('under another name is refused', () =>
    given([created])
      .when({ ...create, name: 'Other' })
      .thenRefused('already-exists'));
  it('takes no word of the API for a slug', () =>
    given([])
      .when({ ...create, spaceId: 'events' })
      .thenRefused('invalid-request', 'spaceId'));
  it('names every field that is wrong', () =>
    given([])
      .when({ ...create, spaceId: 'A', name: '', events: [{ ...CUBE, participants: 0 }, CUBE] })
      .thenRefused('invalid-request', 'spaceId', 'name', 'events[0].participants', 'events[1].eventId'));
});

describe('defining an event', () => {
  it('adds it', () => given([created]).when(define({})).then([defined]));
  it('again changes nothing', () => given([created, defined]).when(define({})).thenNothing());
  it('edits what is only shown', () =>
    given([created, defined])
      .when(define({ name: 'Cube', rank: 5 }))
      .then([{ type: 'EventEdited', data: { ...CUBE, name: 'Cube', rank: 5 } }]));
  it('never changes what results depend on', () =>
    given([created, defined])
      .when(define({ format: 'number', participants: 2 }))
      .thenRefused('rules-conflict', 'format', 'participants'));
  it('needs a space', () => given([]).when(define({})).thenRefused('space-not-found'));
  it.each([
    ['eventId', { eventId: 'a b' }],
    ['name', { name: '' }],
    ['category', { category: '' }],
    ['rank', { rank: 1.5 }],
    ['participants', { participants: 21 }],
  ])('checks %s', (field, change) =>
    given([created]).when(define(change)).thenRefused('invalid-request', field),
  );
});
