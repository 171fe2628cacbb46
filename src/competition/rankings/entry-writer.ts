/**
 * Writes ranking entries as JSON text into a growing buffer. The JSON of a person or contest is made once, because it
 * occurs in many entries. Places are counted while writing, because equal values share one.
 */

import { contestKey } from '../../domain/references.js';
import { contestTypeOf } from '../../domain/results.js';
import type { PersonView } from '../persons/person.queries.js';
import { personView } from '../persons/person-directory.js';
import type { ContestFacts, ResultDocument } from '../results/ranking-documents.js';

export interface ListEntry {
  readonly rankingId: string;
  readonly value: number;
  readonly result: ResultDocument;
  /** Only in lists of persons. */
  readonly personId?: number;
}

const FIRST_SIZE = 64 * 1024;

export class EntryWriter {
  #bytes = Buffer.allocUnsafe(FIRST_SIZE);
  #length = 0;
  readonly #ends: number[] = [];
  #place = 0;
  #value = Number.NaN;
  readonly #personJson = new Map<number, string>();
  readonly #contestJson = new Map<string, string>();

  constructor(
    private readonly persons: ReadonlyMap<number, PersonView>,
    private readonly contests: ReadonlyMap<string, ContestFacts | null>,
  ) {
    this.#write('[');
  }

  add(entry: ListEntry): void {
    const count = this.#ends.length;
    if (entry.value !== this.#value) {
      this.#place = count + 1;
      this.#value = entry.value;
    }
    this.#write((count === 0 ? '' : ',') + this.#json(entry));
    this.#ends.push(this.#length);
  }

  finish(): { readonly bytes: Uint8Array; readonly ends: Uint32Array } {
    this.#write(']');
    // Copies into a buffer of its own, which can be transferred to another thread.
    const bytes = new Uint8Array(this.#length);
    bytes.set(this.#bytes.subarray(0, this.#length));
    return { bytes, ends: Uint32Array.from(this.#ends) };
  }

  #json({ rankingId, value, result, personId }: ListEntry): string {
    const person = personId === undefined ? '' : `,"personId":${personId}`;
    const persons = result.personIds.map((id) => this.#person(id)).join(',');
    const attempts = result.attempts.map((attempt) => `{"result":${attempt}}`).join(',');
    return (
      `{"rankingId":${JSON.stringify(rankingId)},"ranking":${this.#place}${person},"persons":[${persons}],` +
      `"result":${value},"attempts":[${attempts}],"date":${JSON.stringify(result.date)},` +
      `"contest":${this.#contest(result)}}`
    );
  }

  #person(id: number): string {
    let json = this.#personJson.get(id);
    if (json === undefined) {
      json = JSON.stringify(this.persons.get(id) ?? personView(id, null, null));
      this.#personJson.set(id, json);
    }
    return json;
  }

  #contest(result: ResultDocument): string {
    const key = contestKey(result);
    let json = this.#contestJson.get(key);
    if (json === undefined) {
      json = this.#contestOf(key, result);
      this.#contestJson.set(key, json);
    }
    return json;
  }

  #contestOf(key: string, { competitionId, category }: ResultDocument): string {
    const contest = this.contests.get(key);
    return JSON.stringify({
      competitionId,
      shortName: contest?.shortName ?? competitionId,
      type: contestTypeOf(category),
      regionCode: contest?.regionCode ?? null,
    });
  }

  #write(text: string): void {
    const most = this.#length + 3 * text.length;
    if (most > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(most, 2 * this.#bytes.length));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    this.#length += this.#bytes.write(text, this.#length, 'utf8');
  }
}
