/** Work that several wait for: done once, ended when the last caller has gone, and begun anew by the next. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { SingleFlight } from '../../../../src/logs/cache/single-flight.js';

interface Begun {
  readonly stop: AbortSignal;
  finish(value: string): void;
}

let work: SingleFlight<string>;
let begun: Begun[];

beforeEach(() => {
  work = new SingleFlight();
  begun = [];
});

/** A caller that may go. */
const waiter = () => {
  const gone = new AbortController();
  const done = work.join('key', begin, gone.signal);
  return { done, go: () => gone.abort() };
};

const begin = (stop: AbortSignal): Promise<string> =>
  new Promise((resolve, reject) => {
    begun.push({ stop, finish: resolve });
    stop.addEventListener('abort', () => reject(new Error('stopped')));
  });

describe('shared work', () => {
  it('is done once for all callers, and again for a later one', async () => {
    const all = [waiter(), waiter(), waiter()];
    begun[0]?.finish('first');
    expect(await Promise.all(all.map(({ done }) => done))).toEqual(['first', 'first', 'first']);
    const later = waiter();
    begun[1]?.finish('second');
    expect(await later.done).toBe('second');
  });

  it('goes on while a caller waits, and stops when the last has gone', async () => {
    const [first, second] = [waiter(), waiter()];
    first.go();
    expect(begun[0]?.stop.aborted).toBe(false);
    second.go();
    expect(begun[0]?.stop.aborted).toBe(true);
    await expect(Promise.all([first.done, second.done])).rejects.toThrow('stopped');
  });

  it('is not stopped for a caller that waits without an end', async () => {
    const patient = work.join('key', begin);
    waiter().go();
    begun[0]?.finish('done');
    expect(await patient).toBe('done');
  });

  it('that was stopped serves no other: the next caller begins anew', async () => {
    const first = waiter();
    first.go();
    const second = waiter();
    await expect(first.done).rejects.toThrow('stopped');
    expect(begun).toHaveLength(2);
    begun[1]?.finish('anew');
    expect(await second.done).toBe('anew');
  });

  it('is not begun for a caller that has gone already', async () => {
    await expect(work.join('key', begin, AbortSignal.abort())).rejects.toThrow();
    expect(begun).toHaveLength(0);
  });
});
