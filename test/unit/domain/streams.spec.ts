/** The names of streams, as stores have them since the first version: a stored stream is never renamed. */
import { describe, expect, it } from '@jest/globals';
import { apiKeyStream } from '../../../src/competition/aggregates/api-key/api-key.events.js';
import { contestStream } from '../../../src/competition/aggregates/contest/contest.js';
import { personStream } from '../../../src/competition/aggregates/person/person.events.js';
import { roundStream } from '../../../src/competition/aggregates/round/round.js';
import { spaceStream } from '../../../src/competition/aggregates/space/space.events.js';
import { idIn, type StreamCategory, StreamNames } from '../../../src/domain/streams.js';
import { endpointNameStream, endpointStream } from '../../../src/logs/endpoints/endpoint.events.js';
import { savedQueryStream } from '../../../src/logs/saved-queries/saved-query.events.js';
import { accessTokenStream } from '../../../src/logs/tokens/access-token.events.js';

const names = new StreamNames();
const contest = { spaceId: 'ireland', competitionId: 'Open2024' };
const round = { ...contest, eventId: '333', roundNumber: 12 };

const named = <Id>(category: StreamCategory<Id>, id: Id, name: string) => ({
  name,
  written: names.of(category, id),
  id,
  read: names.idIn(category, name),
});

describe('a stream', () => {
  it.each([
    named(spaceStream, 'ireland', 'podium/space/ireland'),
    named(contestStream, contest, 'podium/contest/ireland/Open2024'),
    named(roundStream, round, 'podium/round/ireland/Open2024/333/12'),
    named(personStream, 7, 'podium/person/7'),
    named(apiKeyStream, '4f9k2mq7x01b', 'podium/api-key/4f9k2mq7x01b'),
    named(accessTokenStream, '4f9k2mq7x01b', 'podium/access-token/4f9k2mq7x01b'),
    named(endpointStream, 'e1', 'podium/endpoint/e1'),
    named(endpointNameStream, 'slow', 'podium/endpoint-name/slow'),
    named(savedQueryStream, 'slow', 'podium/saved-log-query/slow'),
  ])('$name has its category and its id in its name', ({ name, written, id, read }) => {
    expect(written).toBe(name);
    expect(read).toEqual(id);
  });

  it('is named by the fields of its id only', () => {
    expect(names.of(contestStream, round)).toBe('podium/contest/ireland/Open2024');
  });

  it('of another category has no id of this one', () => {
    expect(idIn(roundStream, names.subjectOf('podium/contest/ireland/Open2024'))).toBeNull();
  });

  it('begins with the prefix of its installation', () => {
    expect(new StreamNames('ours').of(personStream, 7)).toBe('ours/person/7');
  });
});
