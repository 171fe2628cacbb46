/**
 * Reads the text fields of paths and queries into typed values. A wrong value is a 400 that lists what is
 * allowed.
 */
import type { FieldError } from '../../domain/rejections.js';
import { invalidRequest } from '../problems/invalid-request.js';

/** A query as Fastify parses it: a repeated field is a list. */
export type Fields = Readonly<Record<string, unknown>>;

/** Collects all wrong fields, so that the client gets them in one reply. */
export class FieldReader {
  private readonly errors: FieldError[] = [];

  constructor(private readonly fields: Fields) {}

  /** Returns `otherwise` when the field is missing. `read` returns undefined for values that are not allowed. */
  read<T>(
    field: string,
    rule: { readonly name: string; readonly allowed: string; readonly read: (text: string) => T | undefined },
    otherwise: T,
  ): T {
    const given = this.fields[field];
    if (given === undefined) return otherwise;
    if (Array.isArray(given)) {
      this.errors.push({
        field,
        rule: 'once',
        message: `${field} is given ${given.length} times; give it once: ${rule.allowed}`,
      });
      return otherwise;
    }
    const value = typeof given === 'string' ? rule.read(given) : undefined;
    if (value !== undefined) return value;
    this.errors.push({ field, rule: rule.name, message: `${field} must be ${rule.allowed}` });
    return otherwise;
  }

  oneOf<T extends string>(field: string, allowed: readonly T[], otherwise: T): T {
    const read = (text: string): T | undefined => allowed.find((value) => value === text);
    return this.read(field, { name: 'isIn', allowed: `one of ${allowed.join(', ')}`, read }, otherwise);
  }

  /** `true` or `false`; a missing field is false. */
  flag(field: string): boolean {
    return this.oneOf(field, ['true', 'false'], 'false') === 'true';
  }

  /** Any text that is not empty. */
  text(field: string, allowed: string): string | null {
    const read = (given: string): string | undefined => (given === '' ? undefined : given);
    return this.read<string | null>(field, { name: 'text', allowed, read }, null);
  }

  integer(field: string, range: { readonly from: number; readonly to: number }, otherwise: number): number {
    const read = (text: string): number | undefined => {
      const value = /^\d{1,9}$/.test(text) ? Number(text) : -1;
      return value >= range.from && value <= range.to ? value : undefined;
    };
    const allowed = `an integer from ${range.from} to ${range.to}`;
    return this.read(field, { name: 'integer', allowed, read }, otherwise);
  }

  /** Throws RejectedError `invalid-request` when a field was wrong. Call it after all fields are read. */
  check(): void {
    if (this.errors.length > 0) throw invalidRequest(this.errors);
  }
}
