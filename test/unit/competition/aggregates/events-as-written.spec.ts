/**
 * What stands in the stores of those who run Podium is read for ever: test/support/events-as-written.ndjson has each event as
 * some version of the code has written it. Lines are added to it and never changed; one that is not read as the same event of
 * today wants an upcaster. How an event is changed is in docs/extending.md.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { features, knownEvents } from '../../../../src/app/features.js';
import { apiKeyAggregate } from '../../../../src/competition/aggregates/api-key/api-key.decider.js';
import { contestAggregate } from '../../../../src/competition/aggregates/contest/contest.decider.js';
import { personAggregate } from '../../../../src/competition/aggregates/person/person.decider.js';
import { referencesAggregate } from '../../../../src/competition/aggregates/references/references.decider.js';
import { roundAggregate } from '../../../../src/competition/aggregates/round/round.decider.js';
import { spaceAggregate } from '../../../../src/competition/aggregates/space/space.decider.js';
import { screensAggregate } from '../../../../src/competition/hall/screens.decider.js';
import { scheduleAggregate } from '../../../../src/competition/schedule/schedule.decider.js';
import type { DomainEvent } from '../../../../src/domain/decider.js';
import type { Aggregate } from '../../../../src/foundation/aggregates/aggregate.js';
import type { RecordedEvent } from '../../../../src/foundation/event-store/event-store.js';
import { UPCASTERS } from '../../../../src/foundation/event-store/upcasters.js';
import { endpointAggregate } from '../../../../src/logs/endpoints/endpoint.decider.js';
import { endpointNameAggregate } from '../../../../src/logs/endpoints/endpoint-name.decider.js';
import { savedQueryAggregate } from '../../../../src/logs/saved-queries/saved-query.decider.js';
import { accessTokenAggregate } from '../../../../src/logs/tokens/access-token.decider.js';
import { recordedEvent } from '../../../support/events.js';
import { EVENTS_OF_TODAY, type WrittenEvent } from '../../../support/events-of-today.js';

const FILE = new URL('../../../support/events-as-written.ndjson', import.meta.url);

/** Codec: the file is ours. */
const written: readonly WrittenEvent[] = readFileSync(FILE, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as WrittenEvent);

const recorded = ({ type, schema, data }: WrittenEvent): RecordedEvent => recordedEvent(type, schema, data);

const nameOf = ({ type, schema }: WrittenEvent): string => `${type} of schema ${schema}`;

const dataOf = (wanted: string, events: readonly WrittenEvent[]): readonly object[] =>
  events.filter(({ type }) => type === wanted).map(({ data }) => data);

describe('an event that was written', () => {
  it.each(written.map((event) => [nameOf(event), event] as const))('is read as today: %s', (_, event) =>
    expect(dataOf(event.type, EVENTS_OF_TODAY)).toContainEqual(UPCASTERS.lift(recorded(event)).data),
  );
});

it('each type that was written is one that the projector knows', () => {
  expect(written.map(({ type }) => type).filter((type) => !knownEvents.types.has(type))).toEqual([]);
});

describe('an event of today', () => {
  it.each(EVENTS_OF_TODAY.map((event) => [nameOf(event), event] as const))(
    'is not lifted: %s',
    (_, event) => {
      const now = recorded(event);
      expect(UPCASTERS.lift(now)).toBe(now);
    },
  );

  it.each(EVENTS_OF_TODAY)('$type is among those written', ({ type, data }) =>
    expect(dataOf(type, written)).toContainEqual(data),
  );

  it('is here in every type', () =>
    expect(EVENTS_OF_TODAY.map(({ type }) => type)).toEqual(
      expect.arrayContaining(features.flatMap(({ events = {} }) => Object.keys(events))),
    ));
});

/** Before and after an event that the aggregate does not know. */
const surprised = <Id, S, C, E extends DomainEvent>({
  stream: { name },
  decider,
}: Aggregate<Id, S, C, E>) => {
  const before = decider.initialState;
  const event = recorded({ type: 'NobodyKnowsIt', schema: 9, data: {} });
  return { name, before, after: decider.evolve(before, UPCASTERS.domainEvent<E>(event)) };
};

describe('an event that only newer code knows', () => {
  it.each([
    surprised(spaceAggregate),
    surprised(contestAggregate),
    surprised(roundAggregate),
    surprised(personAggregate),
    surprised(apiKeyAggregate),
    surprised(scheduleAggregate),
    surprised(screensAggregate),
    surprised(referencesAggregate),
    surprised(accessTokenAggregate),
    surprised(endpointAggregate),
    surprised(endpointNameAggregate),
    surprised(savedQueryAggregate),
  ])('is passed over in the stream of $name', ({ before, after }) => expect(after).toBe(before));
});
