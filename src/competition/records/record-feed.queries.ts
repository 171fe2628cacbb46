/** The query for the feed of records, and its handler. */
import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { enteredAt, rankedValue } from '../../domain/results.js';
import { READ_MODELS, type ReadModels } from '../../foundation/projections/read-models.js';
import type { ReadView } from '../../foundation/read-models/read-model-store.js';
import { PersonDirectory } from '../persons/person-directory.js';
import { eventsOf, requireSpace } from '../spaces/known-events.js';
import { formerViewer, recentViews } from './recent.queries.js';
import { type RecentFilter, type RecentRecord, recentRecords, recordIdOf } from './recent-records.js';
import type { FeedEntry, RecordFeed } from './record-feed.js';
import { referenceViewer } from './reference-views.js';
import { judgedTimes, takenRecords } from './taken-records.js';
import { beatenRecords, correctedRecords, type WithdrawnRecord } from './withdrawn-records.js';

/** So many records are in the feed, and at most as many that are none any more. */
export const FEED_LENGTH = 50;

/** Throws RejectedError `space-not-found`. */
export class GetRecordFeed extends Query<RecordFeed> {
  constructor(readonly filter: RecentFilter) {
    super();
  }
}

@QueryHandler(GetRecordFeed)
export class GetRecordFeedHandler implements IQueryHandler<GetRecordFeed> {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    private readonly directory: PersonDirectory,
  ) {}

  execute({ filter }: GetRecordFeed): Promise<RecordFeed> {
    return this.readModels.snapshot(async (view) => {
      const space = await requireSpace(view, filter.spaceId);
      const events = await eventsOf(view, filter.spaceId);
      const range = { since: 0, after: null, limit: FEED_LENGTH };
      const standing = await recentRecords(view, filter, { ...range, events });
      const since = standing.length < FEED_LENGTH ? 0 : (standing.at(-1)?.newsAt ?? 0);
      const corrected = await correctedRecords(view, filter, events);
      const beaten = await beatenRecords(view, standing);
      const judged = await judgedTimes(view, standing);
      const taken = await takenRecords(view, filter, { events, since });
      const withdrawn = [...corrected, ...beaten, ...taken].filter(({ newsAt }) => newsAt >= since);
      const entries = [
        ...(await this.#records(view, standing, { corrected, beaten, judged })),
        ...(await this.#withdrawn(view, withdrawnBeside(standing, withdrawn))),
      ];
      return { filter, space, events, entries: entries.sort((a, b) => b.newsAt - a.newsAt) };
    });
  }

  async #records(
    view: ReadView,
    standing: readonly RecentRecord[],
    changes: Changes,
  ): Promise<readonly FeedEntry[]> {
    const shown = await recentViews(view, this.directory, standing);
    return standing.flatMap((record, index): readonly FeedEntry[] => {
      const recordView = shown[index];
      const { newsAt } = record;
      const updatedAt = changedAt(record, changes);
      return recordView ? [{ kind: 'record', record: recordView, newsAt, updatedAt }] : [];
    });
  }

  async #withdrawn(view: ReadView, withdrawn: readonly WithdrawnRecord[]): Promise<readonly FeedEntry[]> {
    const involved = withdrawn.flatMap(({ result, beatenBy }) => (beatenBy ? [result, beatenBy] : [result]));
    const former = await formerViewer(view, this.directory, involved);
    const references = withdrawn.map(({ takenBy }) => takenBy);
    const referenceOf = await referenceViewer(view, this.directory, references);
    return withdrawn.map((record) => {
      const { result, kind, value, newsAt, withdrawnAt, beatenBy, takenBy, standing } = record;
      const { persons, contest } = former(result, value);
      return {
        kind: 'withdrawn',
        newsAt,
        updatedAt: withdrawnAt,
        record: {
          recordId: recordIdOf(record),
          eventId: result.eventId,
          type: kind,
          persons,
          result: value,
          contest,
          roundNumber: result.roundNumber,
          beatenBy: beatenBy && former(beatenBy, rankedValue(beatenBy, kind)),
          takenBy: takenBy && referenceOf(takenBy),
          standing,
        },
      };
    });
  }
}

interface Changes {
  readonly corrected: readonly WithdrawnRecord[];
  readonly beaten: readonly WithdrawnRecord[];
  /** When references last changed a record, by its id. */
  readonly judged: ReadonlyMap<string, number>;
}

/**
 * When it became the record that it is: at its entry, or later, when it was beaten in a larger region, when a better value was
 * withdrawn, or when other references came.
 */
const changedAt = (record: RecentRecord, { corrected, beaten, judged }: Changes): number => {
  const id = recordIdOf(record);
  const since = [
    ...beaten.filter((other) => recordIdOf(other) === id),
    ...corrected.filter((other) => stoodBefore(other, record)),
  ];
  const times = [enteredAt(record.result, record.kind), judged.get(id) ?? 0];
  return Math.max(...times, ...since.map(({ withdrawnAt }) => withdrawnAt));
};

const stoodBefore = (withdrawn: WithdrawnRecord, { result, kind, tag }: RecentRecord): boolean => {
  const other = withdrawn.result;
  const isRival =
    withdrawn.kind === kind && other.eventId === result.eventId && other.category === result.category;
  const isNear = {
    WR: true,
    CR: other.continent === result.continent,
    NR: other.regionCode === result.regionCode,
  }[tag];
  return isRival && isNear && other.date <= result.date && withdrawn.value < rankedValue(result, kind);
};

/** Each once: what is still a record is told as one. */
const withdrawnBeside = (
  standing: readonly RecentRecord[],
  withdrawn: readonly WithdrawnRecord[],
): readonly WithdrawnRecord[] => {
  const told = new Set(standing.map(recordIdOf));
  return withdrawn
    .filter(({ result, region, isRecord }) => region === result.regionCode && !isRecord)
    .sort((a, b) => b.newsAt - a.newsAt)
    .filter((record) => !told.has(recordIdOf(record)) && told.add(recordIdOf(record)))
    .slice(0, FEED_LENGTH);
};
