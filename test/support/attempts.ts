/** Attempts as timing devices send them. */
import { CONTEST } from './api-world.js';
import type { Client, Reply } from './client.js';

export interface SentAttempt {
  readonly personId: number | string;
  readonly attemptResult: number;
  /** Of the person's attempts in the round; the first by default. */
  readonly attemptNumber?: number;
  /** The round; round 1 of 333 in the contest of the API world by default. */
  readonly competitionId?: string;
  readonly eventId?: string;
  readonly roundNumber?: number;
}

/** POST /api/enter-attempt with the key of a device. */
export const sendAttempt = (client: Client, key: string, attempt: SentAttempt): Promise<Reply> => {
  const body = { competitionId: CONTEST, eventId: '333', roundNumber: 1, attemptNumber: 1, ...attempt };
  return client.post('/api/enter-attempt', body, { 'x-api-key': key });
};
