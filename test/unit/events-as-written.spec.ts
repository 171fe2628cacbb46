/**
 * What stands in the stores of those who run Podium is read for ever: test/support/events-as-written.ndjson has each event as
 * some version of the code has written it. Lines are added to it and never changed; one that is not read as the same event of
 * today wants an upcaster. How an event is changed is in docs/extending.md.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { CONTROL_EVENT_TYPES } from '../../src/eventstore/control-events.js';
import type { RecordedEvent } from '../../src/eventstore/event-store.js';
import { UPCASTERS } from '../../src/eventstore/upcasters.js';
import { METADATA, newEvent } from '../support/events.js';
import { EVENTS_OF_TODAY, type WrittenEvent } from '../support/events-of-today.js';

const FILE = new URL('../support/events-as-written.ndjson', import.meta.url);

/** Codec: the file is ours. */
const written: readonly WrittenEvent[] = readFileSync(FILE, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as WrittenEvent);

const recorded = ({ type, schema, data }: WrittenEvent): RecordedEvent => ({
  ...newEvent(type, data),
  metadata: { ...METADATA, schema },
  stream: 's',
  revision: 0,
  position: 1,
  recordedAt: 0,
});

const nameOf = ({ type, schema }: WrittenEvent): string => `${type} of schema ${schema}`;

describe('an event that was written', () => {
  it.each(written.map((event) => [nameOf(event), event] as const))('is read as today: %s', (_, event) => {
    const today = EVENTS_OF_TODAY.find(({ type }) => type === event.type);
    expect(UPCASTERS.lift(recorded(event)).data).toEqual(today?.data);
  });
});

describe('an event of today', () => {
  it.each(EVENTS_OF_TODAY.map((event) => [nameOf(event), event] as const))(
    'is not lifted: %s',
    (_, event) => {
      const now = recorded(event);
      expect(UPCASTERS.lift(now)).toBe(now);
    },
  );

  it.each(EVENTS_OF_TODAY)('$type is among those written', ({ type, data }) => {
    const newest = written.filter((event) => event.type === type).at(-1);
    expect(newest?.data).toEqual(data);
  });

  it('is here in every type', () =>
    expect(EVENTS_OF_TODAY.map(({ type }) => type)).toEqual(
      expect.arrayContaining([...CONTROL_EVENT_TYPES]),
    ));
});
