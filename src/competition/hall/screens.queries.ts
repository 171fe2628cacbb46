/** Queries on the screens of a contest. A screen that no moderator has set shows the open rounds. */
import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type RoundRef, roundCode } from '../../domain/attempts.js';
import type { ContestRef } from '../../domain/references.js';
import { RejectedError } from '../../domain/rejections.js';
import { AGGREGATES, type AggregateRuntime } from '../../foundation/aggregates/aggregate.js';
import { READ_MODELS, type ReadModels } from '../../foundation/projections/read-models.js';
import { ContestQuery } from '../contest-query.js';
import { requireContest } from '../contests/contest.queries.handlers.js';
import type { PlannedRoundDocument } from '../contests/contest-documents.js';
import { plannedInOrder } from '../contests/contest-page.js';
import { DEFAULT_SCREEN, isScreenName, screensAggregate } from './screens.decider.js';
import { type Screen, type ScreensState, screenNamed } from './screens.events.js';

export interface ShownScreenView extends Screen {
  /** The rounds that it shows in turn. Empty: it shows what is now and next. */
  readonly showing: readonly RoundRef[];
}

/** In the order in which they were added; the default screen where none was. Throws RejectedError `contest-not-found`. */
export class ListScreens extends ContestQuery<readonly Screen[]> {}

/**
 * Throws RejectedError `contest-not-found` (also for drafts and deleted contests unless `includeHidden` is true),
 * `screen-not-found` for what cannot be the name of a screen.
 */
export class GetScreen extends Query<ShownScreenView> {
  constructor(
    readonly contest: ContestRef,
    readonly name: string,
    readonly includeHidden = false,
  ) {
    super();
  }
}

abstract class ScreensQueryHandler {
  constructor(
    @Inject(READ_MODELS) protected readonly readModels: ReadModels,
    @Inject(AGGREGATES) private readonly aggregates: AggregateRuntime,
  ) {}

  /** Reads the stream's tail: the reply is cached until the next change, so it must not be older than this one. */
  protected async screensOf(contest: ContestRef): Promise<ScreensState> {
    return (await this.aggregates.load(screensAggregate, contest, { fresh: true })).state;
  }
}

@QueryHandler(ListScreens)
export class ListScreensHandler extends ScreensQueryHandler implements IQueryHandler<ListScreens> {
  async execute({ contest }: ListScreens): Promise<readonly Screen[]> {
    await this.readModels.snapshot((view) => requireContest(view, contest, true));
    const screens = await this.screensOf(contest);
    return screens.length === 0 ? [DEFAULT_SCREEN] : screens;
  }
}

@QueryHandler(GetScreen)
export class GetScreenHandler extends ScreensQueryHandler implements IQueryHandler<GetScreen> {
  async execute({ contest, name, includeHidden }: GetScreen): Promise<ShownScreenView> {
    const planned = await this.readModels.snapshot(async (view) =>
      plannedInOrder(view, await requireContest(view, contest, includeHidden)),
    );
    if (!isScreenName(name))
      throw new RejectedError({
        code: 'screen-not-found',
        detail: `There is no screen ${name.slice(0, 100)}.`,
      });
    const screens = await this.screensOf(contest);
    const screen = screenNamed(screens, name) ?? { ...DEFAULT_SCREEN, name };
    return { ...screen, showing: shownBy(screen, planned) };
  }
}

/** A chosen round that is not planned any more is left out. */
const shownBy = (
  { shows, rounds }: Screen,
  planned: readonly PlannedRoundDocument[],
): readonly RoundRef[] => {
  const named = new Map(
    planned.map(({ eventId, roundNumber, open }) => {
      const round = { eventId, roundNumber };
      return [roundCode(round), { round, open }];
    }),
  );
  switch (shows) {
    case 'schedule':
      return [];
    case 'rounds':
      return rounds.flatMap((code) => named.get(code)?.round ?? []);
    case 'open-rounds':
      return [...named.values()].flatMap(({ round, open }) => (open ? [round] : []));
    default:
      return shows satisfies never;
  }
};

export const screensQueryHandlers = [ListScreensHandler, GetScreenHandler];
