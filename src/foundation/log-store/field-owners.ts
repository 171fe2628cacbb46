/** Whose fields a log store keeps: those of each project, of the entries without one, and of all together. */
import type { RecordType } from './field-catalogue.js';
import type { LogSource } from './sources.js';

/** The fields of a project's entries in each source that has some. */
export type StoredFields = Readonly<Record<LogSource, RecordType>>;

/** Whose fields a row has: `=` and the project, or one of the next two. */
export type FieldOwner = string;
export const ALL: FieldOwner = '*';
export const NO_PROJECT: FieldOwner = '-';

export const ownerOf = (project: string | null): FieldOwner =>
  project === null ? NO_PROJECT : `=${project}`;

/** Returns null for the two that are no project. */
export const projectIn = (owner: FieldOwner): string | null =>
  owner.startsWith('=') ? owner.slice(1) : null;

/** The owner of the catalogue of a project; null: of all. */
export const catalogueOwner = (project: string | null): FieldOwner =>
  project === null ? ALL : ownerOf(project);
