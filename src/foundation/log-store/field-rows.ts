/** Which rows the table of fields has, in memory, and how many projects they are of. */

import { type FieldOwner, projectIn } from './field-owners.js';
import type { LogSource } from './sources.js';

export class FieldRows {
  readonly #maxProjects: number;
  readonly #owners = new Map<LogSource, Set<FieldOwner>>();
  /** How many rows each project has. */
  readonly #projects = new Map<FieldOwner, number>();

  constructor(maxProjects: number) {
    this.#maxProjects = maxProjects;
  }

  /** The owners that have a row. */
  of(source: LogSource): ReadonlySet<FieldOwner> {
    return this.#owners.get(source) ?? new Set();
  }

  add(source: LogSource, owner: FieldOwner): void {
    const owners = this.#owners.get(source) ?? new Set();
    this.#owners.set(source, owners);
    if (owners.has(owner)) return;
    owners.add(owner);
    if (projectIn(owner) !== null) this.#projects.set(owner, (this.#projects.get(owner) ?? 0) + 1);
  }

  remove(source: LogSource, owner: FieldOwner): void {
    if (!this.#owners.get(source)?.delete(owner)) return;
    const rows = (this.#projects.get(owner) ?? 1) - 1;
    if (rows === 0) this.#projects.delete(owner);
    else this.#projects.set(owner, rows);
  }

  get room(): number {
    return this.#maxProjects - this.#projects.size;
  }

  /** Returns those that may get a row: the projects that have one elsewhere, and so many others. */
  admitted(owners: Iterable<FieldOwner>, others = this.room): Set<FieldOwner> {
    const admitted = new Set<FieldOwner>();
    let room = others;
    for (const owner of owners) {
      const isNew = projectIn(owner) !== null && !this.#projects.has(owner);
      if (isNew && room-- <= 0) continue;
      admitted.add(owner);
    }
    return admitted;
  }
}
