/**
 * Reads the bodies of result entry into typed values. A well-formed body costs a few comparisons, for entry is the
 * hot path; any other goes to class-validator, which says what is wrong with it. Both give the same verdict (a
 * property test holds them to it).
 */
import { DEFAULT_SPACE } from '../../domain/ids.js';
import type { EntrantSelector, RoundKey } from '../../domain/references.js';
import { type FieldError, RejectedError } from '../../domain/rejections.js';
import { fieldErrors } from '../../http/body/validate.js';
import { invalidRequest } from '../../http/problems/invalid-request.js';
import { readCompetitor } from './competitor-rules.js';
import {
  AttemptRow,
  EnterAttemptBody,
  EnterResultsBody,
  isCount,
  isId,
  MAX_ATTEMPTS,
  MAX_ROWS,
  ResultRow,
  readCompetitionId,
} from './entry.dto.js';
import type { RefusedRows } from './round.commands.js';

export interface AttemptEntry {
  readonly round: RoundKey;
  readonly competitor: EntrantSelector;
  readonly attemptNumber: number;
  readonly value: number;
}

export interface ResultsEntry {
  readonly round: RoundKey;
  readonly results: readonly {
    readonly competitor: EntrantSelector;
    readonly attempts: readonly number[];
  }[];
  /** Rows of a wrong shape. The others are judged all the same, so that one refusal names every faulty row. Missing: none. */
  readonly faulty?: RefusedRows;
}

type Fields = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isInteger = (value: unknown): value is number => Number.isInteger(value);

/** `segment` is the space that the path names, which the body's may not contradict. Throws the 400 as RejectedError. */
export const readAttempt = (body: unknown, segment?: string): AttemptEntry => {
  const fields = isObject(body) ? body : refuse([notAnObject]);
  return quickAttempt(fields, segment) ?? refuse(errorsOf(attemptDto(fields), fields, segment));
};

/** Throws the 400 as RejectedError when no row can be judged. */
export const readResults = (body: unknown, segment?: string): ResultsEntry => {
  const fields = isObject(body) ? body : refuse([notAnObject]);
  return quickResults(fields, segment) ?? faultyResults(fields, segment);
};

/** Null when anything is not as described. (Adding 0 makes a 0 of -0.) */
export const quickAttempt = (fields: Fields, segment?: string): AttemptEntry | null => {
  const round = quickRound(fields, segment);
  const competitor = readCompetitor(fields);
  const { attemptNumber, attemptResult } = fields;
  if (!round || !competitor || !isCount(attemptNumber) || !isInteger(attemptResult)) return null;
  return { round, competitor, attemptNumber, value: attemptResult + 0 };
};

export const quickResults = (fields: Fields, segment?: string): ResultsEntry | null => {
  const round = quickRound(fields, segment);
  const rows = fields.results;
  if (!round || !Array.isArray(rows) || rows.length === 0 || rows.length > MAX_ROWS) return null;
  const results: { competitor: EntrantSelector; attempts: readonly number[] }[] = [];
  for (const row of rows) {
    const result = quickRow(row);
    if (!result) return null;
    results.push(result);
  }
  return { round, results };
};

const quickRow = (row: unknown): ResultsEntry['results'][number] | null => {
  const competitor = isObject(row) ? readCompetitor(row) : null;
  const attempts = isObject(row) ? quickAttempts(row.attempts) : null;
  return competitor && attempts && { competitor, attempts };
};

/** The rows that have their shape, beside the refusal of the others. */
const faultyResults = (fields: Fields, segment: string | undefined): ResultsEntry => {
  const { rejection } = invalidRequest(errorsOf(resultsDto(fields), fields, segment));
  const round = quickRound(fields, segment);
  const rows = isListOf(fields.results, MAX_ROWS) ? fields.results.map(quickRow) : [];
  const indexes = rows.flatMap((row, index) => (row === null ? [] : [index]));
  if (round === null || indexes.length === 0) throw new RejectedError(rejection);
  const results = rows.filter((row) => row !== null);
  return { round, results, faulty: { refused: rejection, indexes } };
};

const quickAttempts = (rows: unknown): readonly number[] | null => {
  if (!Array.isArray(rows) || rows.length > MAX_ATTEMPTS) return null;
  const attempts: number[] = [];
  for (const row of rows) {
    if (!isObject(row) || !isInteger(row.result)) return null;
    attempts.push(row.result + 0);
  }
  return attempts;
};

const quickRound = (fields: Fields, segment: string | undefined): RoundKey | null => {
  const { eventId, roundNumber } = fields;
  const competitionId = readCompetitionId(fields);
  const spaceId = fields.spaceId ?? segment ?? DEFAULT_SPACE;
  if (segment !== undefined && spaceId !== segment) return null;
  if (competitionId === null || !isId(spaceId) || !isId(eventId) || !isCount(roundNumber)) return null;
  return { spaceId, competitionId, eventId, roundNumber };
};

/** Copies what is described and nothing else, however deep the rest is nested. */
const attemptDto = (fields: Fields): EnterAttemptBody => {
  const dto = new EnterAttemptBody();
  copyRound(dto, fields);
  copyCompetitor(dto, fields);
  dto.attemptNumber = fields.attemptNumber;
  dto.attemptResult = fields.attemptResult;
  return dto;
};

const resultsDto = (fields: Fields): EnterResultsBody => {
  const dto = new EnterResultsBody();
  copyRound(dto, fields);
  const rows = fields.results;
  dto.results = isListOf(rows, MAX_ROWS) ? rows.map(rowDto) : rows;
  return dto;
};

/** What is no object becomes text, which class-validator refuses under its index; null it would let pass. */
const rowDto = (row: unknown): ResultRow | string => {
  if (!isObject(row)) return typeof row;
  const dto = new ResultRow();
  copyCompetitor(dto, row);
  const { attempts } = row;
  dto.attempts = isListOf(attempts, MAX_ATTEMPTS) ? attempts.map(attemptRowDto) : attempts;
  return dto;
};

const attemptRowDto = (row: unknown): AttemptRow | string => {
  if (!isObject(row)) return typeof row;
  const dto = new AttemptRow();
  dto.result = row.result;
  return dto;
};

/** A longer list is refused for its length alone. */
const isListOf = (value: unknown, most: number): value is unknown[] =>
  Array.isArray(value) && value.length <= most;

const copyRound = (dto: EnterAttemptBody | EnterResultsBody, fields: Fields): void => {
  dto.spaceId = fields.spaceId;
  dto.competitionId = fields.competitionId;
  dto.competitionWcaId = fields.competitionWcaId;
  dto.eventId = fields.eventId;
  dto.roundNumber = fields.roundNumber;
};

const copyCompetitor = (dto: EnterAttemptBody | ResultRow, fields: Fields): void => {
  dto.personId = fields.personId;
  dto.assocId = fields.assocId;
  dto.wcaId = fields.wcaId;
  dto.registrantId = fields.registrantId;
};

const errorsOf = (dto: object, fields: Fields, segment: string | undefined): readonly FieldError[] => {
  const errors = fieldErrors(dto);
  const contradiction = segment !== undefined && fields.spaceId != null && fields.spaceId !== segment;
  return contradiction ? [...errors, otherSpace] : errors;
};

const notAnObject: FieldError = { field: 'body', rule: 'object', message: 'the body must be a JSON object' };

const otherSpace: FieldError = {
  field: 'spaceId',
  rule: 'sameSpace',
  message: 'spaceId must be the space that the path names, or be left out',
};

const refuse = (errors: readonly FieldError[]): never => {
  throw invalidRequest(errors);
};
