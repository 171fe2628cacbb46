/** One round of a contest with its results, live while it is open. */
import { categoryOf } from '../../../src/domain/results.js';
import type { RoundPage as Model } from '../../../src/pages/page-models.js';
import { ContestHead, contestPath, eventName } from '../components/contest-frame.js';
import { roundPath } from '../components/contest-list.js';
import { OpaqueRound } from '../components/opaque-round.js';
import { isLive, liveAddress, Round, scoreCardsPath } from '../components/round.js';
import { useFreshPage } from '../fresh-page.js';
import { roundName } from '../round-text.js';

export const roundTitle = ({ events, contest, eventId, round, opaque }: Model): string => {
  const roundNumber = (round ?? opaque)?.roundNumber;
  const planned = contest.events.find((one) => one.eventId === eventId)?.rounds ?? [];
  const tab = planned.find((one) => one.roundNumber === roundNumber);
  return `${eventName(events, eventId)}${tab ? `, ${roundName(tab)}` : ''} · ${contest.name}`;
};

/** A round that is not open may be opened while the page waits for it. An open one has a stream. */
const waitsAt = ({ base, contest, eventId, round }: Model): string | null =>
  round && !round.open && isLive(contest.state)
    ? roundPath(base, { competitionId: contest.competitionId, eventId, roundNumber: round.roundNumber })
    : null;

export const RoundPage = ({ model: given }: { readonly model: Model }) => {
  const model = useFreshPage(given, waitsAt(given));
  const { base, events, contest, eventId, round, opaque, numbers } = model;
  const event = events.find((known) => known.eventId === eventId);
  const shown = round ?? opaque;
  if (event === undefined || shown === null) return null;
  const key = { competitionId: contest.competitionId, eventId, roundNumber: shown.roundNumber };
  const rounds = contest.events.find((one) => one.eventId === eventId)?.rounds ?? [];
  const pathOf = (personId: number): string => {
    const number = numbers[personId];
    return number === undefined ? `/persons/${personId}` : `${contestPath(model)}/competitors/${number}`;
  };
  return (
    <>
      <ContestHead model={model} round={key} />
      <section>
        <h2 id={`${eventId}-name`}>
          <a href={`${base}/rankings/${eventId}/single/all`}>{event.name}</a>
        </h2>
        {round && (
          <Round
            key={String(round.open)}
            event={event}
            shown={round}
            live={round.open && isLive(contest.state) ? liveAddress(base, key) : null}
            contestName={contest.name}
            category={categoryOf(contest.type)}
            cards={scoreCardsPath(base, key)}
            pathOf={pathOf}
          />
        )}
        {opaque && (
          <OpaqueRound
            event={event}
            round={opaque}
            isFinal={rounds.at(-1)?.roundNumber === shown.roundNumber}
          />
        )}
      </section>
    </>
  );
};
