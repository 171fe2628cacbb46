/**
 * Imports into one space run one after the other in a process. Two at once would each find the same new persons and register
 * them twice.
 */
import { Injectable } from '@nestjs/common';

@Injectable()
export class ImportTurns {
  /** By space: settles when the import that was given last has ended. */
  readonly #ends = new Map<string, Promise<unknown>>();

  /** Runs the import when those given before it have ended, however they ended. Returns what it returns, or throws its error. */
  async take<T>(spaceId: string, runImport: () => Promise<T>): Promise<T> {
    const before = this.#ends.get(spaceId);
    const running = before === undefined ? runImport() : before.then(runImport);
    const end = running.catch(() => undefined);
    this.#ends.set(spaceId, end);
    try {
      return await running;
    } finally {
      if (this.#ends.get(spaceId) === end) this.#ends.delete(spaceId);
    }
  }
}
