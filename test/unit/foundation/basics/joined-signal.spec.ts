/** A signal of several leaves nothing on them. */
import { getEventListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { joinSignals } from '../../../../src/foundation/basics/joined-signal.js';

describe('a joined signal', () => {
  it.each([0, 1])('aborts with signal %i', (which) => {
    const sources = [new AbortController(), new AbortController()];
    const { signal } = joinSignals(...sources.map((source) => source.signal));
    expect(signal.aborted).toBe(false);
    sources[which]?.abort();
    expect(signal.aborted).toBe(true);
  });

  it('is aborted at once where one of them is', () => {
    expect(joinSignals(new AbortController().signal, AbortSignal.abort()).signal.aborted).toBe(true);
  });

  it('leaves nothing on them when it is released, and does not abort any more', () => {
    const source = new AbortController();
    const { signal, release } = joinSignals(source.signal, new AbortController().signal);
    expect(getEventListeners(source.signal, 'abort')).toHaveLength(1);
    release();
    expect(getEventListeners(source.signal, 'abort')).toHaveLength(0);
    source.abort();
    expect(signal.aborted).toBe(false);
  });
});
