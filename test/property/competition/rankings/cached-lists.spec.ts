/** After any change, a cached ranking is the one that is built anew from what the projections show. */
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ListBuilder } from '../../../../src/competition/rankings/list-builder.js';
import { GetRankings, GetRankingsHandler } from '../../../../src/competition/rankings/ranking.queries.js';
import { buildRankingList } from '../../../../src/competition/rankings/ranking-list.js';
import { RANKING_TYPES, SHOWS } from '../../../../src/domain/rankings.js';
import { cutList } from '../../../../src/http/replies/json-list.js';
import { ByteCache } from '../../../../src/http/replies/ready-reply.js';
import { propertyRuns } from '../../../support/property-runs.js';
import { DETAILS, SmallWorld } from '../../../support/small-world.js';

const PERSONS = 3;
const CONTESTS = { A: 'competition', B: 'meetup' } as const;
const CODES = ['333-r1', 'team-r1'];
const TOP_NS = [1, 2, 4];
const LONG = 600_000;

const person = fc.integer({ min: 1, max: PERSONS });
const contestId = fc.constantFrom('A', 'B');
/** Few values, so that many are equal. */
const value = fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 1, max: 9 }) }, fc.constantFrom(-1, 0));
const region = fc.constantFrom('IE', 'DE', 'US');
const date = fc.constantFrom('2024-05-01', '2024-05-02', '2024-05-03');

type Step = (world: SmallWorld) => Promise<void>;

const entered = fc.record({
  contest: contestId,
  code: fc.constantFrom(...CODES),
  of: person,
  attempts: fc.oneof(
    value.map((one) => [one, 0, 0, 0, 0]),
    fc.array(value, { minLength: 5, maxLength: 5 }),
  ),
});
/** A team has two members. */
const competitors = (code: string, of: number): readonly number[] =>
  code.startsWith('team') ? [of, (of % PERSONS) + 1] : [of];

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: entered.map(
      ({ contest, code, of, attempts }): Step =>
        (world) =>
          world.enter(contest, code, competitors(code, of), attempts),
    ),
  },
  entered.map(
    ({ contest, code, of }): Step =>
      (world) =>
        world.roundEvent(contest, code, 'ResultRemoved', world.result(contest, code, competitors(code, of))),
  ),
  fc.tuple(person, region).map(
    ([of, regionCode]): Step =>
      (world) =>
        world.personEvent(of, 'PersonMoved', { from: '2020-01-01', regionCode }),
  ),
  person.map(
    (of): Step =>
      async (world) => {
        const profile = world.profiles.get(of);
        if (profile) world.profiles.set(of, { ...profile, name: `${profile.name}+` });
        await world.personEvent(of, 'PersonProfileChanged');
      },
  ),
  fc.tuple(contestId, contestId, fc.constantFrom(...Object.values(CONTESTS)), date).map(
    ([contest, shortName, type, endDate]): Step =>
      (world) =>
        world.contestEvent(contest, 'ContestEdited', { details: { ...DETAILS, type, shortName, endDate } }),
  ),
  fc.tuple(contestId, fc.constantFrom('ContestDeleted', 'ContestReopened')).map(
    ([contest, type]): Step =>
      (world) =>
        world.contestEvent(contest, type),
  ),
  fc.tuple(contestId, fc.constantFrom('a', 'm'), fc.option(date)).map(
    ([contest, format, on]): Step =>
      (world) =>
        world.rulesChanged(contest, '333-r1', { format, date: on }),
  ),
  fc.tuple(contestId, fc.constantFrom(...CODES), person).map(
    ([contest, code, from]): Step =>
      (world) =>
        world.roundEvent(contest, code, 'CompetitorMerged', { from, into: from + PERSONS }),
  ),
  {
    weight: 3,
    arbitrary: fc.tuple(person, date, fc.integer({ min: 1, max: 9 })).map(
      ([of, on, known]): Step =>
        (world) =>
          world.personEvent(of, 'PersonalBestsKnown', {
            on,
            bests: [{ eventId: '333', kind: 'single', value: known }],
          }),
    ),
  },
  fc.tuple(date, fc.constantFrom(null, 'XE', 'IE'), fc.integer({ min: 0, max: 9 })).map(
    ([since, of, standing]): Step =>
      (world) => {
        const key = { eventId: '333', kind: 'single', category: 'competitions', region: of, since };
        return world.happened({ kind: 'references', spaceId: 'default' }, 'ReferencesReplaced', {
          removed: standing === 0 ? [key] : [],
          added: standing === 0 ? [] : [{ ...key, value: standing, holderId: null }],
        });
      },
  ),
);

const LISTS = ['333', 'team'].flatMap((eventId) =>
  RANKING_TYPES.flatMap((type) =>
    SHOWS.flatMap((show) =>
      (['all', 'competitions'] as const).flatMap((category) =>
        [null, 'XE', 'IE'].map((region) => ({ spaceId: 'default', eventId, type, show, category, region })),
      ),
    ),
  ),
);

it(
  'is the one that is built anew',
  async () => {
    let changes = 0;
    let kept = 0;
    const law = fc.asyncProperty(fc.array(step, { maxLength: 40, size: 'max' }), async (steps) => {
      const world = new SmallWorld();
      await world.space([{ eventId: '333' }, { eventId: 'team', participants: 2 }]);
      await world.persons('IE', 'IE', 'DE', 'IE', 'US', null);
      for (const [id, type] of Object.entries(CONTESTS))
        await world.contest(id, Object.fromEntries(CODES.map((code) => [code, {}])), { type });
      const { readModels } = world.session;
      const replies = new ByteCache();
      const builder = new ListBuilder(() => {
        throw new Error('no list is so long');
      });
      const rankings = new GetRankingsHandler(readModels, world.directory, replies, builder);
      for (const change of steps) {
        await change(world);
        const tags = world.session.takeTags();
        world.directory.invalidate(null);
        rankings.advance(1, tags);
        replies.advance(1, tags);
        changes += 1;
        kept += replies.entries;
        for (const list of LISTS) {
          const anew = await readModels.snapshot((view) => buildRankingList(view, world.directory, list, 9));
          for (const topN of TOP_NS) {
            const shown = await rankings.execute(new GetRankings(list, topN));
            expect(shown.body.toString()).toBe(cutList(anew, topN).toString());
          }
        }
      }
    });
    await fc.assert(law, propertyRuns(12, LONG / 2));
    // Most changes leave most lists as they are, and those stay cached.
    expect(kept).toBeGreaterThan((changes * LISTS.length * TOP_NS.length) / 4);
  },
  LONG,
);
