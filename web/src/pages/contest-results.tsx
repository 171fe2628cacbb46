/** All rounds of a contest on one page, as it is printed: newest first, each on a sheet of its own. */
import type { RoundView } from '../../../src/competition/contests/contest.queries.js';
import { categoryOf } from '../../../src/domain/results.js';
import type { ContestResultsPage as Model } from '../../../src/pages/page-models.js';
import { ContestHead } from '../components/contest-frame.js';
import { OpaqueRound } from '../components/opaque-round.js';
import { Round, scoreCardsPath } from '../components/round.js';

export const ContestResultsPage = ({ model }: { readonly model: Model }) => {
  const { base, events, contest, results, opaqueRounds } = model;
  const planned = contest.events.flatMap(({ eventId, rounds: tabs }) => {
    const event = events.find((known) => known.eventId === eventId);
    const rounds = results.find((one) => one.eventId === eventId)?.rounds ?? [];
    const opaque = opaqueRounds.filter((one) => one.eventId === eventId);
    return event ? [{ event, tabs, rounds, opaque }] : [];
  });
  return (
    <>
      <ContestHead model={model} />
      {planned.length === 0 && <p className="empty">No rounds are planned yet.</p>}
      {planned.map(({ event, tabs, rounds, opaque }) => (
        <section key={event.eventId} className="sheets">
          <h2 id={`${event.eventId}-name`}>{event.name}</h2>
          {opaque.toReversed().map((round) => (
            <OpaqueRound
              key={round.roundNumber}
              event={event}
              round={round}
              isFinal={tabs.at(-1)?.roundNumber === round.roundNumber}
            />
          ))}
          {newestFirst(rounds).map((round) => (
            <Round
              key={round.roundNumber}
              event={event}
              shown={round}
              live={null}
              contestName={contest.name}
              category={categoryOf(contest.type)}
              cards={scoreCardsPath(base, { ...contest, ...event, ...round })}
            />
          ))}
        </section>
      ))}
    </>
  );
};

/** Rounds that have begun, newest first; then the planned ones in their order. */
const newestFirst = (rounds: readonly RoundView[]): readonly RoundView[] => {
  const hasBegun = ({ open, results }: RoundView): boolean => open || results.length > 0;
  return [...rounds.filter(hasBegun).toReversed(), ...rounds.filter((round) => !hasBegun(round))];
};
