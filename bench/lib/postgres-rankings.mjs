/**
 * The rankings in PostgreSQL without read models: results in tables with suitable indexes, and the list
 * computed for each request.
 */

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';

const TABLES = `
  CREATE TABLE persons (person_id int PRIMARY KEY, name text, localized_name text, assoc_id text, region_code text);
  CREATE TABLE contests (competition_id text PRIMARY KEY, short_name text, type text, region_code text);
  CREATE TABLE results (result_id text PRIMARY KEY, competition_id text, person_ids int[], attempts bigint[]);
  CREATE TABLE competing (event_id text, person_id int, best bigint, date text, result_id text COLLATE "C");`;

const INDEXES = `
  CREATE INDEX ON competing (event_id, person_id, best, date, result_id);
  CREATE INDEX ON competing (event_id, best, date, result_id, person_id);
  VACUUM ANALYZE;`;

/** The best single of each person, ranked; with everything that the JSON of the API shows. */
export const RANKINGS = `
  WITH bests AS (
    SELECT DISTINCT ON (person_id) person_id, best, date, result_id FROM competing
    WHERE event_id = $1 ORDER BY person_id, best, date, result_id
  ), ranked AS (
    SELECT *, rank() OVER (ORDER BY best) AS ranking FROM bests
    ORDER BY best, date, result_id, person_id LIMIT $2
  )
  SELECT json_agg(json_build_object(
    'rankingId', result_id || '_p' || person_id, 'ranking', ranking, 'personId', person_id,
    'persons', (
      SELECT json_agg(json_build_object('id', p.person_id, 'name', p.name, 'localizedName', p.localized_name,
        'regionCode', p.region_code, 'assocId', p.assoc_id) ORDER BY place)
      FROM unnest(r.person_ids) WITH ORDINALITY AS member (id, place) JOIN persons p ON p.person_id = member.id),
    'result', best,
    'attempts', (SELECT json_agg(json_build_object('result', value) ORDER BY place)
      FROM unnest(r.attempts) WITH ORDINALITY AS attempt (value, place)),
    'date', date,
    'contest', json_build_object('competitionId', c.competition_id, 'shortName', c.short_name, 'type', c.type,
      'regionCode', c.region_code)
  ) ORDER BY ranking, date, result_id, person_id)::text AS json
  FROM ranked JOIN results r USING (result_id) JOIN contests c USING (competition_id)`;

const field = (value) => {
  if (value === null) return '\\N';
  const text = Array.isArray(value) ? `{${value.join(',')}}` : String(value);
  return text.replace(
    /[\\\t\n\r]/g,
    (character) => `\\${{ '\\': '\\', '\t': 't', '\n': 'n', '\r': 'r' }[character]}`,
  );
};

/** `rows` yields arrays of values. */
const copyInto = async ({ pool, folder }, table, rows) => {
  const path = join(folder, `${table}.copy`);
  const file = createWriteStream(path);
  for (const row of rows) {
    if (!file.write(`${row.map(field).join('\t')}\n`)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'finish');
  await pool.query(`COPY ${table} FROM '${path}'`);
};

/** Fills and indexes the tables from a folded world (fold-world.mjs). */
export const fillPostgres = async (postgres, world) => {
  await postgres.pool.query(TABLES);
  await copyInto(
    postgres,
    'persons',
    world.persons.map((person) => [
      person.personId,
      person.name,
      person.localizedName,
      person.assocId,
      person.regionCode,
    ]),
  );
  await copyInto(
    postgres,
    'contests',
    world.contests.map((contest) => [
      contest.competitionId,
      contest.shortName,
      contest.type,
      contest.regionCode,
    ]),
  );
  await copyInto(
    postgres,
    'results',
    world.results.map((result) => [result.resultId, result.competitionId, result.personIds, result.attempts]),
  );
  await copyInto(
    postgres,
    'competing',
    world.results
      .filter(({ best }) => best > 0)
      .flatMap((result) =>
        result.personIds.map((personId) => [
          result.eventId,
          personId,
          result.best,
          result.date,
          result.resultId,
        ]),
      ),
  );
  for (const statement of INDEXES.trim().split('\n')) await postgres.pool.query(statement);
};
