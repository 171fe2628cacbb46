/**
 * Folds the events of a store into plain rows in memory, for baselines that do not know the read models:
 * persons, contests and results with their best single.
 */
import { openEventStore } from '../../dist/app/stores/open-event-store.js';
import { openOperationalStore } from '../../dist/app/stores/open-operational-store.js';

const ATTEMPTS = { 1: 1, 2: 2, 3: 3, 5: 5, m: 3, a: 5 };
const HIDDEN = new Set(['draft', 'deleted']);

/** `{ persons, contests, results }` of one space. */
export const foldWorld = async ({ eventStoreUrl, operationalUrl, spaceId }) => {
  const contests = new Map();
  const rounds = new Map();
  const persons = new Map();
  const store = await openEventStore(eventStoreUrl, { readOnly: true });
  for await (const event of store.readAll()) {
    const [, kind, ...path] = event.stream.split('/');
    if (kind === 'contest' && path[0] === spaceId) evolveContest(contests, path[1], event);
    if (kind === 'round' && path[0] === spaceId) evolveRound(rounds, event.stream, path.slice(1), event);
    if (kind === 'person') evolvePerson(persons, event);
  }
  await store.close();
  const shown = [...contests.values()].filter(({ state }) => !HIDDEN.has(state));
  const visible = new Map(shown.map((contest) => [contest.competitionId, contest]));
  return {
    contests: shown,
    persons: await withProfiles(operationalUrl, persons),
    results: [...rounds.values()].flatMap((round) => rowsOf(round, visible)),
  };
};

const evolveContest = (contests, competitionId, { type, data }) => {
  const known = contests.get(competitionId) ?? { competitionId, state: 'draft', rounds: new Map() };
  contests.set(competitionId, known);
  if (type === 'ContestCreated' || type === 'ContestEdited') Object.assign(known, data.details);
  if (type === 'ContestAnnounced') known.state = 'announced';
  if (type === 'ContestDeleted') known.state = 'deleted';
};

const evolveRound = (rounds, stream, [competitionId, eventId], { type, data }) => {
  const round = rounds.get(stream) ?? {
    competitionId,
    eventId,
    rules: null,
    results: new Map(),
    aliases: new Map(),
  };
  rounds.set(stream, round);
  if (data.rules !== undefined) round.rules = data.rules;
  if (type === 'CompetitorMerged') {
    for (const result of round.results.values()) {
      result.personIds = result.personIds.map((id) => (id === data.from ? data.into : id));
    }
  }
  if (data.resultId === undefined) return;
  const result = round.results.get(data.resultId) ?? {
    resultId: data.resultId,
    personIds: data.personIds,
    attempts: new Array(ATTEMPTS[round.rules.format]).fill(0),
  };
  round.results.set(data.resultId, result);
  if (type === 'AttemptEntered' || type === 'AttemptCorrected')
    result.attempts[data.attemptNumber - 1] = data.value;
  if (type === 'AttemptCleared') result.attempts[data.attemptNumber - 1] = 0;
  if (type === 'ResultReplaced') result.attempts = [...data.attempts];
  if (type === 'ResultRemoved') round.results.delete(data.resultId);
};

const evolvePerson = (persons, { stream, type, data }) => {
  const personId = Number(stream.slice(stream.lastIndexOf('/') + 1));
  if (type === 'PersonRegistered' || type === 'PersonRegionCorrected') {
    persons.set(personId, data.timeline.at(-1)?.regionCode ?? null);
  }
  if (type === 'PersonMoved') persons.set(personId, data.regionCode);
};

const withProfiles = async (operationalUrl, persons) => {
  const store = await openOperationalStore(operationalUrl);
  const ids = [...persons.keys()];
  const rows = [];
  for (let start = 0; start < ids.length; start += 500) {
    const some = ids.slice(start, start + 500);
    const profiles = await store.profiles(some);
    for (const personId of some) {
      const { name = '—', localizedName = null, assocId = null } = profiles.get(personId) ?? {};
      rows.push({ personId, name, localizedName, assocId, regionCode: persons.get(personId) });
    }
  }
  await store.close();
  return rows;
};

const rowsOf = ({ competitionId, eventId, rules, results }, contests) => {
  const contest = contests.get(competitionId);
  if (contest === undefined) return [];
  return [...results.values()]
    .filter(({ attempts }) => attempts.some((value) => value !== 0))
    .map(({ resultId, personIds, attempts }) => {
      const solved = attempts.filter((value) => value > 0);
      const best = solved.length === 0 ? -1 : Math.min(...solved);
      return {
        resultId,
        competitionId,
        eventId,
        personIds,
        attempts,
        best,
        date: rules.date ?? contest.endDate,
      };
    });
};
