/** Parameter decorators for the contest or round that a path names. */
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { DEFAULT_SPACE, isRoundNumber } from '../domain/ids.js';
import type { ContestRef, RoundKey } from '../domain/references.js';
import { RejectedError } from '../domain/rejections.js';
import { type InSpace, pathParams } from '../http/message/space-segment.js';

interface OfContest extends InSpace {
  readonly competitionId: string;
}

export interface OfRound extends OfContest {
  readonly eventId: string;
  readonly roundNumber: string;
}

export const contestParam = ApiParam({ name: 'competitionId', example: 'SpringOpen2026' });
export const eventParam = ApiParam({ name: 'eventId', example: '333' });

export const contestOf = (context: ExecutionContext): ContestRef => {
  const { spaceId = DEFAULT_SPACE, competitionId } = pathParams<OfContest>(context);
  return { spaceId, competitionId };
};

/** `@Contest() contest: ContestRef` */
export const Contest = createParamDecorator(
  (_: unknown, context: ExecutionContext): ContestRef => contestOf(context),
);

/** `@Round() round: RoundKey`. Throws RejectedError `round-not-found` when the path has no valid round number. */
export const Round = createParamDecorator((_: unknown, context: ExecutionContext): RoundKey => {
  const { spaceId = DEFAULT_SPACE, competitionId, eventId, roundNumber } = pathParams<OfRound>(context);
  const number = /^\d{1,3}$/.test(roundNumber) ? Number(roundNumber) : 0;
  if (isRoundNumber(number)) return { spaceId, competitionId, eventId, roundNumber: number };
  const detail = `There is no round ${roundNumber.slice(0, 20)}.`;
  throw new RejectedError({ code: 'round-not-found', detail });
});

/** Throws RejectedError `person-not-found` when the text is no competitor number. */
export const competitorNumberOf = (text: string): number => {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  const detail = `The contest has no competitor with the number ${text.slice(0, 20)}.`;
  throw new RejectedError({ code: 'person-not-found', detail });
};
