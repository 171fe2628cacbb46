/**
 * Reads a nested JSON body into typed values. It collects every wrong field with its path
 * (`rounds[1].cutoff.attemptResult`), so that the client gets all in one reply. Unknown fields are refused: a
 * misspelt field must not be ignored.
 */
import type { FieldError } from '../../domain/rejections.js';
import { invalidRequest } from '../problems/invalid-request.js';

/**
 * The rule of a field. `read` returns undefined for values that are not allowed; `allowed` describes them in
 * words.
 */
export interface JsonRule<T> {
  readonly name: string;
  readonly allowed: string;
  readonly read: (value: unknown) => T | undefined;
}

export const aText: JsonRule<string> = {
  name: 'text',
  allowed: 'a text',
  read: (value) => (typeof value === 'string' ? value : undefined),
};

export const anInteger: JsonRule<number> = {
  name: 'integer',
  allowed: 'an integer',
  read: (value) => (Number.isSafeInteger(value) ? Number(value) : undefined),
};

export const oneOf = <T extends string>(values: readonly T[]): JsonRule<T> => ({
  name: 'one-of',
  allowed: `one of ${values.join(', ')}`,
  read: (value) => values.find((known) => known === value),
});

export const orNull = <T>({ name, allowed, read }: JsonRule<T>): JsonRule<T | null> => ({
  name,
  allowed: `${allowed}, or null`,
  read: (value) => (value === null ? null : read(value)),
});

export const listOf = <T>({ name, allowed, read }: JsonRule<T>): JsonRule<readonly T[]> => ({
  name,
  allowed: `a list, each item ${allowed}`,
  read: (value) => {
    if (!Array.isArray(value)) return undefined;
    const items = value.map((item: unknown) => read(item));
    return items.some((item) => item === undefined) ? undefined : items.filter((item) => item !== undefined);
  },
});

type Members = Readonly<Record<string, unknown>>;

const membersOf = (value: unknown): Members | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : null;

/** Throws RejectedError `invalid-request` where the body is no object. */
export const membersOfBody = (body: unknown): Members => {
  const members = membersOf(body);
  if (members) return members;
  throw invalidRequest([{ field: 'body', rule: 'object', message: 'the body must be a JSON object' }]);
};

/** The error of a field that is misspelt or belongs elsewhere. */
export const unknownField = (path: string, known: ReadonlySet<string>): FieldError => ({
  field: path,
  rule: 'known',
  message: `${path} is not known here; there are ${[...known].join(', ')}`,
});

export class JsonFields {
  readonly #asked = new Set<string>();

  private constructor(
    private readonly members: Members,
    private readonly path: string,
    private readonly errors: FieldError[],
  ) {}

  /** Throws RejectedError `invalid-request` where the body is no object. */
  static of(body: unknown): JsonFields {
    return new JsonFields(membersOfBody(body), '', []);
  }

  has(field: string): boolean {
    this.#asked.add(field);
    return this.members[field] !== undefined;
  }

  /** Reads a required field. `otherwise` stands for a wrong one until `check` throws. */
  needed<T>(field: string, rule: JsonRule<T>, otherwise: T): T {
    if (this.has(field)) return this.given(field, rule, otherwise);
    this.#add(field, 'required', 'must be given');
    return otherwise;
  }

  /** Reads an optional field; returns `otherwise` when it is missing. */
  given<T>(field: string, rule: JsonRule<T>, otherwise: T): T {
    if (!this.has(field)) return otherwise;
    const value = rule.read(this.members[field]);
    if (value !== undefined) return value;
    this.#add(field, rule.name, `must be ${rule.allowed}`);
    return otherwise;
  }

  /** Reads an optional field as an object to spread; empty when it is missing, so that the old value stays. */
  change<K extends string, T>(field: K, rule: JsonRule<T>): Partial<Record<K, T>> {
    if (!this.has(field)) return {};
    const value = rule.read(this.members[field]);
    if (value === undefined) this.#add(field, rule.name, `must be ${rule.allowed}`);
    const part: Partial<Record<K, T>> = {};
    if (value !== undefined) part[field] = value;
    return part;
  }

  /** Reads a nested object; null when the field is null or missing. */
  object<T>(field: string, read: (fields: JsonFields) => T): T | null {
    if (!this.has(field) || this.members[field] === null) return null;
    return this.#inside(this.members[field], this.#pathTo(field), read);
  }

  /** Reads a list of objects; empty when the field is missing. */
  objects<T>(field: string, read: (fields: JsonFields) => T): readonly T[] {
    if (!this.has(field)) return [];
    const value = this.members[field];
    if (!Array.isArray(value)) {
      this.#add(field, 'list', 'must be a list of objects');
      return [];
    }
    return value.flatMap((item: unknown, index) => {
      const done = this.#inside(item, `${this.#pathTo(field)}[${index}]`, read);
      return done === null ? [] : [done];
    });
  }

  /**
   * Throws RejectedError `invalid-request` when a field was wrong or unknown. Call it after all fields are
   * read.
   */
  check(): void {
    this.#refuseOthers();
    if (this.errors.length > 0) throw invalidRequest(this.errors);
  }

  /** Adds the error of a value that a rule cannot judge by itself. */
  refuse(field: string, rule: string, sentence: string): void {
    this.#add(field, rule, sentence);
  }

  #inside<T>(value: unknown, path: string, read: (fields: JsonFields) => T): T | null {
    const members = membersOf(value);
    if (!members) {
      this.errors.push({ field: path, rule: 'object', message: `${path} must be an object` });
      return null;
    }
    const fields = new JsonFields(members, path, this.errors);
    const done = read(fields);
    fields.#refuseOthers();
    return done;
  }

  #refuseOthers(): void {
    for (const field of Object.keys(this.members)) {
      if (!this.#asked.has(field)) this.errors.push(unknownField(this.#pathTo(field), this.#asked));
    }
  }

  #add(field: string, rule: string, message: string): void {
    const path = this.#pathTo(field);
    this.errors.push({ field: path, rule, message: `${path} ${message}` });
  }

  #pathTo(field: string): string {
    return this.path === '' ? field : `${this.path}.${field}`;
  }
}
