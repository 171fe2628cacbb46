/** Which facts are a loss of events, and which are not. */
import { describe, expect, it } from '@jest/globals';
import {
  describeLoss,
  type Facts,
  findLoss,
  type Loss,
} from '../../../../src/foundation/losses/find-loss.js';

const OURS = { id: 'ours', epoch: 0 };
const found = (head: number, installation: { id: string; epoch: number } | null = OURS, storeId = 'a') => ({
  identity: { storeId, installation },
  head,
  contradicted: [],
});
const witness = (storeId: string, position: number) => ({ storeId, position, event: null });
const remembers = (...witnesses: ReturnType<typeof witness>[]) => ({ installation: OURS, witnesses });
const OURS_AT_7 = { id: 'ours', epoch: 7 };
const remembersAt7 = (...witnesses: ReturnType<typeof witness>[]) => ({ installation: OURS_AT_7, witnesses });
const NOTHING = { installation: null, witnesses: [] };

const sound: (Facts & { name: string })[] = [
  { name: 'a first start', events: found(0, null), remembered: NOTHING, checkpoints: [] },
  { name: 'a first start without an events file yet', events: null, remembered: NOTHING, checkpoints: [] },
  {
    name: 'an older installation',
    events: found(9, null),
    remembered: NOTHING,
    checkpoints: [witness('a', 9)],
  },
  {
    name: 'a crash before the event store got the id',
    events: found(9, null),
    remembered: remembers(),
    checkpoints: [],
  },
  {
    name: 'the end at the witness',
    events: found(9),
    remembered: remembers(witness('a', 9)),
    checkpoints: [],
  },
  { name: 'the end beyond it', events: found(12), remembered: remembers(witness('a', 9)), checkpoints: [] },
  {
    name: 'a copy in another store',
    events: found(3, OURS, 'b'),
    remembered: remembers(witness('a', 9)),
    checkpoints: [],
  },
  {
    name: 'a restored backup beside newer read models',
    events: found(3, OURS_AT_7, 'a.7'),
    remembered: remembersAt7(witness('a.7', 3)),
    checkpoints: [witness('a', 9)],
  },
  {
    name: 'the events of a backup that hold all that the operational store has seen',
    events: found(9, OURS_AT_7, 'a.7'),
    remembered: remembers(witness('a', 9)),
    checkpoints: [],
  },
];

const lost: (Facts & { name: string; loss: Loss })[] = [
  {
    name: 'an end below a witness',
    events: found(3),
    remembered: remembers(witness('a', 9)),
    checkpoints: [],
    loss: { kind: 'behind', storeId: 'a', after: 3, upTo: 9 },
  },
  {
    name: 'an end below the read models of an installation from before',
    events: found(3, null),
    remembered: NOTHING,
    checkpoints: [witness('a', 9)],
    loss: { kind: 'behind', storeId: 'a', after: 3, upTo: 9 },
  },
  {
    name: 'events of a backup under a newer operational store',
    events: found(3, OURS_AT_7, 'a.7'),
    remembered: remembers(witness('a', 9)),
    checkpoints: [],
    loss: { kind: 'behind', storeId: 'a', after: 3, upTo: 9 },
  },
  {
    name: 'a new event store',
    events: found(0, null, 'b'),
    remembered: remembers(witness('a', 9)),
    checkpoints: [],
    loss: { kind: 'emptied', storeId: 'a', after: 0, upTo: 9 },
  },
  {
    name: 'no events file',
    events: null,
    remembered: remembers(witness('a', 9)),
    checkpoints: [],
    loss: { kind: 'emptied', storeId: 'a', after: 0, upTo: 9 },
  },
  {
    name: 'the events of another installation',
    events: found(12, { id: 'theirs', epoch: 0 }, 'b'),
    remembered: remembers(witness('a', 9)),
    checkpoints: [],
    loss: { kind: 'foreign', storeId: 'a', after: null, upTo: 9 },
  },
  {
    name: 'a new operational store',
    events: found(9),
    remembered: NOTHING,
    checkpoints: [],
    loss: { kind: 'operational', storeId: 'a', after: 0, upTo: 9 },
  },
  {
    name: 'another event in the place of the witness',
    events: { ...found(12), contradicted: [witness('a', 9)] },
    remembered: remembers(witness('a', 9)),
    checkpoints: [],
    loss: { kind: 'rewritten', storeId: 'a', after: null, upTo: 9 },
  },
  {
    name: 'another event in the place of a witness from before a restore',
    events: { ...found(12, OURS_AT_7, 'a.7'), contradicted: [witness('a', 9)] },
    remembered: remembers(witness('a', 9)),
    checkpoints: [],
    loss: { kind: 'rewritten', storeId: 'a', after: null, upTo: 9 },
  },
  {
    name: 'longer files from before an accepted loss',
    events: found(12),
    remembered: remembersAt7(witness('a.7', 9)),
    checkpoints: [],
    loss: { kind: 'outdated', storeId: 'a.7', after: null, upTo: 9 },
  },
  {
    name: 'an operational store of a later epoch, whatever it has seen',
    events: found(12),
    remembered: remembersAt7(),
    checkpoints: [],
    loss: { kind: 'outdated', storeId: 'a', after: null, upTo: 12 },
  },
  {
    name: 'read models of a later epoch than both stores',
    events: found(12),
    remembered: remembers(witness('a', 3)),
    checkpoints: [witness('a.7', 9)],
    loss: { kind: 'outdated', storeId: 'a.7', after: null, upTo: 9 },
  },
  {
    name: 'events from before they had the installation',
    events: found(12, null),
    remembered: remembers(witness('a', 9)),
    checkpoints: [],
    loss: { kind: 'outdated', storeId: 'a', after: null, upTo: 9 },
  },
  {
    name: 'a copy without an event that its source had',
    events: { ...found(12, OURS, 'b'), contradicted: [witness('a', 9)] },
    remembered: remembers(witness('a', 9)),
    checkpoints: [],
    loss: { kind: 'incomplete', storeId: 'a', after: null, upTo: 9 },
  },
];

describe('events are missing', () => {
  it.each(sound)('not at $name', (facts) => expect(findLoss(facts)).toBeNull());
  it.each(lost)('at $name', ({ loss, ...facts }) => {
    const found = findLoss(facts);
    expect(found).toEqual(loss);
    expect(found && describeLoss(found)).toContain(loss.storeId);
  });
});
