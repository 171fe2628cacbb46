/** The rounds of a screen, each page for so many seconds. Only the round on the screen has a connection. */
import { useEffect, useState } from 'react';
import type { EventDefinition } from '../../../src/competition/aggregates/space/space.events.js';
import type { OneCategory } from '../../../src/domain/results.js';
import { RoundOnScreen } from './round-on-screen.js';
import { FIRST_TURN, nextTurn, pagesFor, presentTurn } from './turns.js';
import { useAspect, useSeenRounds } from './use-screen.js';

export interface RoundInTurn {
  /** Such as `333-r1`. */
  readonly code: string;
  readonly event: EventDefinition;
  /** Address of the round's event stream. */
  readonly live: string;
}

/** Rows of a page, so that they and the lines around them fit the height of the screen: see screen.css. */
const ROWS = 10;
const ROWS_IN_PORTRAIT = 5;

export const RoundsInTurn = ({
  rounds,
  category,
  seconds,
  connection,
}: {
  /** At least one. */
  readonly rounds: readonly RoundInTurn[];
  readonly category: OneCategory;
  readonly seconds: number;
  /** Another number subscribes anew. */
  readonly connection: number;
}) => {
  const [{ wanted, ticks }, setState] = useState({ wanted: FIRST_TURN, ticks: 0 });
  const aspect = useAspect();
  const rowsOfPage = aspect < 1 ? ROWS_IN_PORTRAIT : ROWS;
  const current = rounds[wanted.round] ?? rounds[0];
  const addresses = rounds.map(({ live }) => live);
  const seen = useSeenRounds(addresses, current?.live ?? null, connection);
  const pages = addresses
    .map((live) => pagesFor(seen.get(live)?.round.results.length ?? 0, rowsOfPage))
    .join();
  useEffect(() => {
    const counts = pages.split(',').map(Number);
    const timer = setInterval(
      () => setState((before) => ({ wanted: nextTurn(before.wanted, counts), ticks: before.ticks + 1 })),
      seconds * 1_000,
    );
    return () => clearInterval(timer);
  }, [seconds, pages]);
  const shown = current && seen.get(current.live);
  if (!shown) return null;
  const counts = pages.split(',').map(Number);
  const turn = presentTurn(wanted, counts);
  return (
    <RoundOnScreen
      event={current.event}
      seen={shown}
      live={current.live}
      category={category}
      part={{ page: turn.page, pages: counts[turn.round] ?? 1, rowsOfPage }}
      aspect={aspect}
      ticks={ticks}
    />
  );
};
