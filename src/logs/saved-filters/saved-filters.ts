/**
 * Filters in LQL that are saved under names, for all projects or for one. `saved:NAME` in a query, a tail, an export, an alert or a
 * drain stands for one. A filter of the project comes before one of all.
 */
import { Inject, Injectable } from '@nestjs/common';
import { invalid, RejectedError } from '../../domain/rejections.js';
import { type AlertRow, alertKeys } from '../../foundation/operational/alert-store.js';
import { OPERATIONAL_STORE, type OperationalStore } from '../../foundation/operational/operational-store.js';
import { checkSavedFilter, type Parse, savedNamesIn } from '../lql/saved-filters.js';
import type { Owner } from '../owner.js';
import { Owners } from '../owners.js';
import { refuseUnseen } from '../revision.js';
import { projectFor } from '../tokens/tenant.js';
import type { TokenHolder } from '../tokens/token.queries.js';
import { type SavedFilter, type SavedFilterView, savedFilterView } from './saved-filter.js';

interface FilterToSave extends SavedFilter {
  /** Of the one that the client has seen; null: it has seen none; missing: it replaces any. */
  readonly revision?: string | null;
}

const MAX_FILTERS = 1_000;
/** Of those that tokens of one project save. */
const MAX_OF_PROJECT = 100;
export const MAX_FILTER_LENGTH = 4_000;
const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/;

/** A query of a client. */
interface AskedText {
  readonly language: 'sql' | 'lql';
  readonly text: string;
}

@Injectable()
export class SavedFilters {
  constructor(
    @Inject(OPERATIONAL_STORE) private readonly store: Pick<OperationalStore, 'alerts'>,
    private readonly owners: Owners,
  ) {}

  /** Those that queries of the caller find, by name. */
  async list(caller: Owner): Promise<readonly SavedFilterView[]> {
    const { project: tiedTo } = await this.owners.holder(caller);
    const rows = await this.store.alerts.range(alertKeys.allFilters, MAX_FILTERS);
    return rows
      .map(filterIn)
      .filter(({ project }) => tiedTo === null || project === null || project === tiedTo)
      .sort((one, other) => (one.name < other.name ? -1 : 1))
      .map(savedFilterView);
  }

  /**
   * Saves or replaces. Throws RejectedError `invalid-request`, `token-project`, `too-many-filters`, `filter-changed` when it is not the one
   * that the client has seen, and QueryProblem.
   */
  async save({ name, project: given, lql, revision }: FilterToSave, caller: Owner): Promise<SavedFilterView> {
    const { parseLql } = await import('../lql/parse-lql.js');
    refuseUnless(NAME.test(name) && isReferable(name, parseLql), 'name', NAME_RULE);
    refuseUnless(lql.length <= MAX_FILTER_LENGTH && !lql.includes('\0'), 'lql', LQL_RULE);
    checkSavedFilter(lql, parseLql);
    const holder = await this.owners.holder(caller);
    const filter = { name, project: projectFor(holder, given), lql };
    const key = alertKeys.filter(filter.project, name);
    const before = await this.store.alerts.read(key);
    refuseUnseen(revision, before && savedFilterView(filterIn(before)).revision, 'filter-changed');
    if (before === null) await this.#refuseTooMany(holder);
    const row = { key, wakesAt: null, data: JSON.stringify(filter) };
    const isSaved = before
      ? await this.store.alerts.replace({ ...row, revision: before.revision + 1 })
      : await this.store.alerts.insert([{ ...row, revision: 1 }]);
    if (isSaved) return savedFilterView(filter);
    throw new RejectedError({ code: 'filter-changed', detail: 'another has just saved it; do it again' });
  }

  /** Throws RejectedError `filter-not-found`, `token-project`. */
  async remove(name: string, given: string | null, caller: Owner): Promise<void> {
    const project = projectFor(await this.owners.holder(caller), given);
    const key = alertKeys.filter(project, name);
    if ((await this.store.alerts.read(key)) === null) {
      const of = project === null ? 'of all projects' : `of the project ${project}`;
      throw new RejectedError({ code: 'filter-not-found', detail: `there is no saved filter ${name} ${of}` });
    }
    await this.store.alerts.remove(alertKeys.only(key));
  }

  /** The query with the filters that it names, as a caller of the project finds them. Throws QueryProblem. */
  async namedIn<T extends AskedText | null>(consumer: T, project: string | null): Promise<T> {
    if (consumer?.language !== 'lql' || !consumer.text.includes('saved:')) return consumer;
    const { parseLql } = await import('../lql/parse-lql.js');
    const names = [...new Set(savedNamesIn(consumer.text, parseLql))];
    const found = await Promise.all(names.map((name) => this.#find(name, project)));
    const saved = found.filter((filter) => filter !== null).map(({ name, lql }) => [name, lql] as const);
    return { ...consumer, saved: Object.fromEntries(saved) };
  }

  async #find(name: string, project: string | null): Promise<SavedFilter | null> {
    const own = project === null ? null : await this.store.alerts.read(alertKeys.filter(project, name));
    const row = own ?? (await this.store.alerts.read(alertKeys.filter(null, name)));
    return row && filterIn(row);
  }

  async #refuseTooMany({ project: tiedTo }: TokenHolder): Promise<void> {
    const rows = await this.store.alerts.range(alertKeys.allFilters, MAX_FILTERS);
    const ofProject = rows.map(filterIn).filter(({ project }) => project === tiedTo).length;
    if (rows.length < MAX_FILTERS && (tiedTo === null || ofProject < MAX_OF_PROJECT)) return;
    const detail = `there may be ${MAX_FILTERS} saved filters, and tokens of one project may save ${MAX_OF_PROJECT}`;
    throw new RejectedError({ code: 'too-many-filters', detail });
  }
}

const NAME_RULE =
  '1 to 63 letters, digits, _ or -, and begin with a letter or digit; true, false and NULL are other values in LQL';

const isReferable = (name: string, parse: Parse): boolean => savedNamesIn(`saved:${name}`, parse)[0] === name;

const LQL_RULE = `LQL of at most ${MAX_FILTER_LENGTH} characters, without U+0000`;

const refuseUnless = (holds: boolean, field: string, rule: string): void => {
  if (!holds)
    throw new RejectedError(invalid([{ field, rule: 'pattern', message: `${field} must be ${rule}` }]));
};

/** Codec: only this file writes these rows. */
const filterIn = ({ data }: AlertRow): SavedFilter => JSON.parse(data);
