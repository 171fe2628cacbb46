/** Builds the models of a contest's pages from the queries of the API. */

import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import {
  GetCompetitor,
  GetCompetitorList,
  HasCompetitorList,
} from '../competition/contests/competitor-list.commands.js';
import { refuseRound } from '../competition/contests/contest.queries.handlers.js';
import {
  type ContestPlanView,
  FindRound,
  GetContest,
  GetContestOverview,
  GetContestPlan,
} from '../competition/contests/contest.queries.js';
import { GetCompetitorSchedule, GetSchedule, HasSchedule } from '../competition/schedule/schedule.queries.js';
import { ListEvents } from '../competition/spaces/space.queries.js';
import type { ContestRef, RoundKey } from '../domain/references.js';
import { isCompeting } from '../domain/registrations.js';
import { RejectedError } from '../domain/rejections.js';
import { tags } from '../domain/tags.js';
import { baseOf } from '../http/message/space-segment.js';
import type { ContestCover, PageOf } from './page-models.js';
import type { WatchedModel } from './page-replies.js';

@Injectable()
export class ContestPageModels {
  constructor(private readonly queries: QueryBus) {}

  async contest(ref: ContestRef): Promise<PageOf<'contest'>> {
    const overview = await this.queries.execute(new GetContestOverview(ref));
    const { organizers, openRounds, podiums } = overview;
    const cover = await this.cover(ref, overview);
    const hasNow = overview.state === 'ongoing' && cover.hasSchedule;
    const schedule = hasNow ? await this.queries.execute(new GetSchedule(ref)) : null;
    return { page: 'contest', ...cover, organizers, openRounds, podiums, schedule };
  }

  /** The newest round that was opened, else the first one. Throws RejectedError `contest-not-found`, `round-not-found`. */
  async newestRound(ref: ContestRef, eventId: string): Promise<number> {
    const { events } = await this.queries.execute(new GetContestPlan(ref));
    const rounds = events.find((event) => event.eventId === eventId)?.rounds ?? [];
    const round = rounds.findLast(({ opened }) => opened) ?? rounds[0];
    return round?.roundNumber ?? refuseRound({ ...ref, eventId, roundNumber: 1 });
  }

  /** Throws RejectedError `contest-not-found`, `round-not-found`. */
  async round(key: RoundKey): Promise<WatchedModel> {
    const { spaceId, competitionId, eventId, roundNumber } = key;
    const ref = { spaceId, competitionId };
    const plan = await this.queries.execute(new GetContestPlan(ref));
    const isOpaque = (one: { readonly eventId: string; readonly roundNumber: number }): boolean =>
      one.eventId === eventId && one.roundNumber === roundNumber;
    const opaque = plan.opaqueRounds.find(isOpaque) ?? null;
    const round = opaque ? null : await this.queries.execute(new FindRound(key));
    if (!opaque && !round) return refuseRound(key);
    const cover = await this.cover(ref, plan);
    const shown = [...(round?.results ?? []), ...(round?.roster?.missing ?? [])];
    const personIds = new Set(shown.flatMap(({ persons }) => persons.map(({ id }) => id)));
    const numbers = cover.hasCompetitors ? await this.numbers(ref, personIds) : {};
    return {
      model: { page: 'round', ...cover, eventId, round, opaque, numbers },
      // Names in an opaque round change with the contest.
      watched: [...(opaque ? [tags.contest(ref)] : []), ...[...personIds].map(tags.person)],
    };
  }

  async results(ref: ContestRef): Promise<PageOf<'contest-results'>> {
    const plan = await this.queries.execute(new GetContestPlan(ref));
    const { events: results, opaqueRounds } = await this.queries.execute(new GetContest(ref));
    return { page: 'contest-results', ...(await this.cover(ref, plan)), results, opaqueRounds };
  }

  /** Throws RejectedError `contest-not-found`, `event-not-found`. Filters by event here; the page filters by name, as a reader types it. */
  async competitors(ref: ContestRef, filter: PageOf<'competitors'>['filter']): Promise<WatchedModel> {
    const plan = await this.queries.execute(new GetContestPlan(ref));
    const { competitors } = await this.queries.execute(new GetCompetitorList(ref));
    const { eventId } = filter;
    const cover = await this.cover(ref, plan);
    if (eventId !== null && cover.events.every((event) => event.eventId !== eventId)) refuseEvent(eventId);
    const shown = competitors.filter(({ eventIds }) => eventId === null || eventIds.includes(eventId));
    return {
      model: { page: 'competitors', ...cover, filter, competitors: shown },
      watched: competitors.map(({ person }) => tags.person(person.id)),
    };
  }

  /** Throws RejectedError `contest-not-found`, `person-not-found`. */
  async competitor(ref: ContestRef, number: number): Promise<WatchedModel> {
    const plan = await this.queries.execute(new GetContestPlan(ref));
    const found = await this.queries.execute(new GetCompetitor(ref, number));
    const { competitor, rounds, watchedEventIds } = found;
    const appointments = isCompeting(competitor)
      ? (await this.queries.execute(new GetCompetitorSchedule(ref, competitor.number))).appointments
      : [];
    const planned = (eventId: string): readonly number[] =>
      plan.events.find((event) => event.eventId === eventId)?.rounds.map((each) => each.roundNumber) ?? [];
    const persons = rounds.flatMap(({ round }) => round.results.flatMap(({ persons: team }) => team));
    const personIds = new Set([competitor, ...persons.map((person) => ({ person }))].map((c) => c.person.id));
    return {
      model: { page: 'competitor', ...(await this.cover(ref, plan)), competitor, appointments, rounds },
      watched: [
        ...[...personIds].map(tags.person),
        // The tag of a first round is touched when it comes into the plan.
        ...watchedEventIds.flatMap((eventId) =>
          [...new Set([1, ...planned(eventId)])].map((roundNumber) =>
            tags.round({ ...ref, eventId, roundNumber }),
          ),
        ),
      ],
    };
  }

  /** What all pages of a contest show. Nothing of it changes with a result or the opening of a round. */
  private async cover(ref: ContestRef, plan: ContestPlanView): Promise<ContestCover> {
    const { competitionId, state, name, type, city, regionCode, venue, startDate, endDate, events } = plan;
    return {
      base: baseOf(ref.spaceId),
      events: await this.queries.execute(new ListEvents(ref.spaceId)),
      contest: {
        competitionId,
        state,
        name,
        type,
        city,
        regionCode,
        venue,
        startDate,
        endDate,
        events: events.map(({ eventId, rounds }) => ({
          eventId,
          rounds: rounds.map(({ roundNumber, roundTypeId }) => ({ roundNumber, roundTypeId })),
        })),
      },
      hasSchedule: await this.queries.execute(new HasSchedule(ref)),
      hasCompetitors: await this.queries.execute(new HasCompetitorList(ref)),
    };
  }

  /** The numbers of these persons on the competitor list, by person id. */
  private async numbers(
    ref: ContestRef,
    personIds: ReadonlySet<number>,
  ): Promise<Readonly<Record<number, number>>> {
    const { competitors } = await this.queries.execute(new GetCompetitorList(ref));
    return Object.fromEntries(
      competitors.flatMap(({ person, number }) => (personIds.has(person.id) ? [[person.id, number]] : [])),
    );
  }
}

const refuseEvent = (eventId: string): never => {
  throw new RejectedError({ code: 'event-not-found', detail: `There is no event ${eventId.slice(0, 100)}.` });
};
