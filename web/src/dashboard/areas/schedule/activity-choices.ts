/** What an activity can be: a round or an attempt of the contest, or something else, with the name that it usually has. */
import type { EventDefinition } from '../../../../../src/competition/aggregates/space/space.events.js';
import type { ModeratedContestView } from '../../../../../src/competition/contests/moderation.queries.js';
import { activityCode, OTHER_ACTIVITIES } from '../../../../../src/domain/activity-codes.js';
import { attemptsOf } from '../../../../../src/domain/scoring.js';
import { type Option, optionsFrom } from '../../../components/options.js';
import { plannedRoundName } from '../contests/rules-text.js';
import { eventName } from '../contests/use-contest.js';

/** Events whose attempts often stand in the schedule one by one. */
const HAS_LONG_ATTEMPTS = /^(?:333fm|333mbf|444bf|555bf)$/;

export const activityOptions = (
  contest: ModeratedContestView,
  events: readonly EventDefinition[],
): readonly Option[] => [
  ...contest.events.flatMap(({ eventId, rounds }) =>
    rounds.flatMap(({ roundNumber, format }) => {
      const round = { eventId, roundNumber, group: null };
      const name = `${eventName(events, eventId)}, ${plannedRoundName(roundNumber, rounds.length)}`;
      const attempts = HAS_LONG_ATTEMPTS.test(eventId) ? attemptsOf(format) : 0;
      return [
        { value: activityCode({ ...round, attempt: null }), name },
        ...Array.from({ length: attempts }, (_, index) => ({
          value: activityCode({ ...round, attempt: index + 1 }),
          name: `${name}, Attempt ${index + 1}`,
        })),
      ];
    }),
  ),
  ...optionsFrom(OTHER_ACTIVITIES),
];
