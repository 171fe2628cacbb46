/** The thread that judges passwords. It alone loads the dictionaries. */
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary as common } from '@zxcvbn-ts/language-common';
import { dictionary as english, translations } from '@zxcvbn-ts/language-en';
import { type AnsweredValue, answerRequests } from '../foundation/basics/request-thread.messages.js';
import type { JudgedPassword, Weakness } from './password-strength.js';

/** Of 0 to 4: a guesser who has the hash needs more than 10^8 guesses. */
const LEAST_SCORE = 3;
/** The time grows with the square of the length, and a part that is hard to guess makes the whole so. */
const MAX_JUDGED_CHARACTERS = 64;

const judge = new ZxcvbnFactory({
  dictionary: { ...common, ...english },
  graphs: adjacencyGraphs,
  translations,
});

const weaknessOf = ({ password, context }: JudgedPassword): Weakness => {
  const words = [...context, ...context.flatMap((text) => text.split(/[^\p{L}\p{N}]+/u)), 'podium'];
  const { score, feedback } = judge.check(
    password.slice(0, MAX_JUDGED_CHARACTERS),
    words.filter((word) => word.length > 2),
  );
  if (score >= LEAST_SCORE) return null;
  const reasons = [feedback.warning, ...feedback.suggestions].filter((text) => text !== null && text !== '');
  return reasons.length > 0 ? reasons.join(' ') : 'Add more words that are less common.';
};

answerRequests({
  answer: async (judged: JudgedPassword): Promise<AnsweredValue<Weakness>> => ({ value: weaknessOf(judged) }),
});
