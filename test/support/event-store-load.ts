/** Entries under load on an event store of the test's own, and what has to be right of them after its troubles. */
import { afterEach, expect } from '@jest/globals';
import { EntryLoad } from './entry-load.js';
import { startEsdbTestServer, type TestServerEngine } from './eventstoredb/engine.js';

const started: { readonly stop: () => Promise<void> }[] = [];

afterEach(async () => {
  for (const { stop } of started.splice(0)) await stop();
});

/** Ends after the test. */
export const stopAfterTest = (one: { readonly stop: () => Promise<void> }): void => {
  started.push(one);
};

/** It ends before the store that it is on. */
export const startLoad = async (url: string): Promise<EntryLoad> => {
  const load = await EntryLoad.start({ EVENT_STORE_URL: url });
  started.unshift({ stop: () => load.end() });
  return load;
};

export const startLoadedStore = async (): Promise<TestServerEngine & { readonly load: EntryLoad }> => {
  const engine = await startEsdbTestServer();
  stopAfterTest(engine);
  const load = await startLoad(engine.url);
  await load.progress(10);
  return { ...engine, load };
};

export const readsGoOn = async (load: EntryLoad): Promise<void> => {
  const { status, text } = await load.ranking();
  expect(status).toBe(200);
  expect(text).toContain('"ranking":1');
};

/** Ends the load. */
export const expectAllIsWell = async (load: EntryLoad): Promise<void> => {
  const { faults, live, replayed } = await load.verdict();
  expect(faults).toEqual([]);
  expect(live).toEqual(replayed);
  expect(live.get('contest load/Load2024')).toContain('"best":');
};
