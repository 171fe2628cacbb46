/** The check of a contest file against the rules of the deciders, before anything is written. */
import { expect, it, jest } from '@jest/globals';
import { initialSpace } from '../../../../src/competition/aggregates/space/space.decider.js';
import { FaultList } from '../../../../src/competition/exchange/formats/contest-file.js';
import { readResultsCsv } from '../../../../src/competition/exchange/formats/results-csv-reader.js';
import { ContestPlan, faultsOf } from '../../../../src/competition/exchange/importing/contest-plan.js';
import { type Identified, personKey } from '../../../../src/competition/exchange/importing/identity.js';
import { contestOf } from './folders.js';

const HEADER =
  'competitionId,contestName,shortName,type,startDate,endDate,eventId,roundNumber,format,timeLimit,cumulativeRounds,name1,attempt1';

/** Each competitor takes 6 seconds in each of two rounds, with 10 for both. */
const planOf = (competitors: number): ContestPlan => {
  const rows = ['333', '444'].flatMap((eventId) =>
    Array.from(
      { length: competitors },
      (_, index) =>
        `Sum2026,Sum,Sum,competition,2026-02-01,2026-02-01,${eventId},1,1,1000,333-r1 444-r1,Person ${index},600`,
    ),
  );
  const [file] = readResultsCsv('sum.csv', `${[HEADER, ...rows].join('\n')}\n`).map(contestOf);
  if (!file) throw new Error('the file has no contest');
  const persons = new Map<string, Identified>();
  for (const { results } of file.rounds)
    for (const [index, { competitors: members }] of results.entries())
      for (const person of members) {
        const { name, localizedName, assocId, regionCode } = person;
        const known = { name, localizedName, assocId, regionCode, absorbed: [], registered: true };
        persons.set(personKey(person), {
          person,
          candidate: { personId: index + 1, ...known },
          by: 'name',
          learned: [],
        });
      }
  return new ContestPlan(file, { faults: new FaultList(), notes: [], persons }, []);
};

const SPACE = { ...initialSpace, name: 'Default' };

it('counts what each competitor spent in the other rounds of a cumulative limit', () => {
  const faults = faultsOf(planOf(3), SPACE);
  expect(faults.map(({ line, column }) => [line, column])).toEqual(
    [2, 3, 4, 5, 6, 7].map((line) => [line, expect.any(Number)]),
  );
  expect(faults[0]?.reason).toContain('1200 centiseconds in all reach the cumulative limit of 1000');
});

it('looks at each of those rounds once, however many competitors it has', () => {
  const looked = (competitors: number): number => {
    const plan = planOf(competitors);
    const looks = jest.spyOn(plan, 'personIds');
    faultsOf(plan, SPACE);
    return looks.mock.calls.length;
  };
  expect(looked(30)).toBe(looked(2));
});
