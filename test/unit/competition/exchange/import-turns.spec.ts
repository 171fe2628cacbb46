/** The lease that an import holds: for as long as it runs, and no longer. */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type ImportTurn, ImportTurns } from '../../../../src/competition/exchange/importing/import-turns.js';
import {
  type Lease,
  type LeaseRequest,
  ReadModelUnavailableError,
} from '../../../../src/foundation/read-models/read-model-store.js';

class Leases {
  readonly held = new Map<string, Lease>();

  async acquireLease({ name, holder, ttlMs }: LeaseRequest): Promise<Lease | null> {
    const now = Date.now();
    const current = this.held.get(name);
    if (current && current.holder !== holder && current.expiresAt > now) return null;
    const lease = { name, holder, detail: null, expiresAt: now + ttlMs };
    this.held.set(name, lease);
    return lease;
  }

  async releaseLease(name: string, holder: string): Promise<void> {
    if (this.held.get(name)?.holder === holder) this.held.delete(name);
  }
}

describe('the lease of an import', () => {
  let leases: Leases;
  let end: () => void;
  let imported: Promise<string>;
  let turn: ImportTurn;

  const begin = async (): Promise<void> => {
    const ended = new Promise<string>((resolve) => {
      end = () => resolve('done');
    });
    imported = new ImportTurns(leases).take('main', (given) => {
      turn = given;
      return ended;
    });
    await jest.advanceTimersByTimeAsync(0);
  };

  beforeEach(async () => {
    jest.useFakeTimers({ now: 1_000_000 });
    leases = new Leases();
    await begin();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('is renewed however long the import takes, and given back at its end', async () => {
    await jest.advanceTimersByTimeAsync(10 * 60_000);
    const other = { name: 'import/main', holder: 'other', ttlMs: 30_000 };
    expect(await leases.acquireLease(other)).toBeNull();
    expect(await leases.acquireLease({ ...other, name: 'import/elsewhere' })).toMatchObject({
      holder: 'other',
    });
    end();
    expect(await imported).toBe('done');
    expect(await leases.acquireLease(other)).toMatchObject({ holder: 'other' });
  });

  it.each([
    ['its renewals fail', () => Promise.reject(new ReadModelUnavailableError('away'))],
    ['another has taken it', async () => null],
  ])('is over for the import when %s for too long, also when it is free again', async (_, renewal) => {
    const acquire = leases.acquireLease.bind(leases);
    leases.acquireLease = renewal;
    await jest.advanceTimersByTimeAsync(29_000);
    turn.requireHeld();
    await jest.advanceTimersByTimeAsync(1_000);
    leases.acquireLease = acquire;
    for (let minute = 0; minute < 2; minute += 1) {
      expect(() => turn.requireHeld()).toThrow(ReadModelUnavailableError);
      await jest.advanceTimersByTimeAsync(60_000);
    }
    end();
    await imported;
  });

  it('lasts while its renewals succeed, or succeed again in time', async () => {
    const acquire = leases.acquireLease.bind(leases);
    leases.acquireLease = async () => {
      throw new ReadModelUnavailableError('away');
    };
    await jest.advanceTimersByTimeAsync(15_000);
    leases.acquireLease = acquire;
    await jest.advanceTimersByTimeAsync(10 * 60_000);
    turn.requireHeld();
    end();
    await imported;
  });

  it('is given back by an import that fails', async () => {
    const turns = new ImportTurns(leases);
    await expect(turns.take('other', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect([...leases.held.keys()]).toEqual(['import/main']);
    end();
    await imported;
  });
});
