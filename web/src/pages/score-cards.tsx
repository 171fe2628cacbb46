/**
 * Score cards of a round, four on an A4 sheet. Each has the competitor, the rules, and a line for each attempt with room
 * for the signatures of scrambler, judge and competitor. The form above them is not printed.
 */
import type { Competitor } from '../../../src/competition/contests/score-cards.js';
import { attemptsOf } from '../../../src/domain/scoring.js';
import type { ScoreCardsPage as Model } from '../../../src/pages/page-models.js';
import { ContestLink } from '../components/contest-list.js';
import { FilterSelect, Filters } from '../components/filters.js';
import { optionsFrom } from '../components/options.js';
import { QrCode } from '../components/qr-code.js';
import { Region } from '../components/region.js';
import { countText } from '../format.js';
import { roundName, ruleTexts } from '../round-text.js';

const HOLDERS = optionsFrom({ competitors: 'Competitors', nobody: 'Blank cards only' });

const roundTitle = ({ event, round }: Model): string => `${event.name}, ${roundName(round)}`;

export const scoreCardsTitle = (model: Model): string =>
  `Score cards: ${roundTitle(model)} · ${model.contest.name}`;

export const ScoreCardsPage = ({ model }: { readonly model: Model }) => {
  const { base, contest, competitors, filter, blank } = model;
  const cards = competitors.length + blank;
  return (
    <>
      <div className="unprinted">
        <h1>Score cards: {roundTitle(model)}</h1>
        <p className="about">
          <ContestLink base={base} id={contest.competitionId} name={contest.name} />
          <span>
            {countText(cards, 'card')} on {countText(Math.ceil(cards / 4), 'sheet')} of A4
          </span>
        </p>
        <Filters action={null}>
          <FilterSelect name="who" label="For" value={filter.who} options={HOLDERS} />
          <label>
            <span>Blank cards</span>
            <input
              name="blank"
              inputMode="numeric"
              pattern="[0-9]*"
              size={8}
              defaultValue={filter.blank ?? ''}
            />
          </label>
          <button type="submit">Make</button>
        </Filters>
        <p className="empty">
          The cards print without margins, four on a sheet. A first round has a card for each person with a
          number or a result in this contest, a later round for each person who advanced to it. With a
          schedule they come in the order of its groups and stations.
        </p>
      </div>
      <ul className="score-cards" aria-label="Cards">
        {competitors.map((competitor) => (
          <Card key={competitor.map(({ id }) => id).join()} model={model} competitor={competitor} />
        ))}
        {Array.from({ length: blank }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: all blank cards are the same.
          <Card key={`blank ${index}`} model={model} competitor={[]} />
        ))}
      </ul>
    </>
  );
};

interface CardProps {
  readonly model: Model;
  /** Empty for a blank card. */
  readonly competitor: Competitor;
}

const Card = ({ model, competitor }: CardProps) => {
  const { contest, event, round } = model;
  return (
    <li className="score-card">
      <div className="card-head">
        <div>
          <p className="contest">{contest.name}</p>
          <p className="event">
            {event.name} <span>{roundName(round)}</span>
          </p>
          <Names competitor={competitor} model={model} />
        </div>
        {competitor.length > 0 && (
          <QrCode text={deskAddress(model, competitor)} label="Opens this card at the entry desk" />
        )}
      </div>
      <p className="rules">
        {ruleTexts({ ...round, advancement: null }, event.format).map((rule) => (
          <span key={rule}>{rule}</span>
        ))}
      </p>
      <Lines model={model} />
    </li>
  );
};

/** Where a moderator types this card. */
const deskAddress = ({ origin, contest, event, round }: Model, competitor: Competitor): string => {
  const card = competitor.map(({ id }) => id).join();
  const path = `/dashboard/contests/${contest.competitionId}/entry/${event.eventId}/${round.roundNumber}`;
  return `${origin}${path}?card=${card}`;
};

const Names = ({ competitor, model: { event, numbers, seats } }: CardProps) => (
  <div className="names">
    {competitor[0] !== undefined && seats[competitor[0].id] !== undefined && (
      <p className="seat">{seats[competitor[0].id]}</p>
    )}
    {competitor.map((person) => (
      <p key={person.id}>
        <b>
          {numbers[person.id] !== undefined && `${numbers[person.id]} · `}
          <bdi>{person.name}</bdi>
        </b>
        {person.localizedName !== null && (
          <>
            {' '}
            (<bdi>{person.localizedName}</bdi>)
          </>
        )}{' '}
        <span className="id">
          <span>{person.assocId ?? `no. ${person.id}`}</span>{' '}
          <span>
            <Region code={person.regionCode} />
          </span>
        </span>
      </p>
    ))}
    {competitor.length === 0 &&
      Array.from({ length: event.participants }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all blank lines are the same.
        <p key={index} className="line">
          Name and id
        </p>
      ))}
  </div>
);

const Lines = ({ model: { round } }: { readonly model: Model }) => (
  <table>
    <thead>
      <tr>
        <th scope="col">
          <span className="hidden">Attempt</span>
        </th>
        <th scope="col">Scrambler</th>
        <th scope="col" className="result">
          Result
        </th>
        <th scope="col">Judge</th>
        <th scope="col">Competitor</th>
      </tr>
    </thead>
    <tbody>
      {Array.from({ length: attemptsOf(round.format) }, (_, index) => (
        <Line
          // biome-ignore lint/suspicious/noArrayIndexKey: the index is the number of the attempt.
          key={index}
          name={String(index + 1)}
          isCutoff={round.cutoff?.numberOfAttempts === index + 1}
        />
      ))}
      <Line name="Extra" isCutoff={false} />
    </tbody>
  </table>
);

/** A thick line marks the cutoff: only competitors who meet it take the attempts below. */
const Line = ({ name, isCutoff }: { readonly name: string; readonly isCutoff: boolean }) => (
  <tr className={isCutoff ? 'cutoff' : undefined}>
    <th scope="row">{name}</th>
    <td />
    <td />
    <td />
    <td />
  </tr>
);
