/** A process that does nothing but project, until it is killed: node projector-process.mjs EVENT_STORE_URL READ_MODEL_URL */
import { projections } from './toy-registry.mjs';

const built = (path) => import(new URL(`../../dist/${path}`, import.meta.url).href);
const { openEventStore } = await built('app/stores/open-event-store.js');
const { openReadModelStore } = await built('app/stores/open-read-model-store.js');
const { StreamNames } = await built('domain/streams.js');
const { ProjectorHost } = await built('foundation/projections/runner/projector-host.js');
const { SubscribedEvents } = await built('foundation/projections/runner/subscribed-events.js');

const [, , eventStoreUrl, readModelUrl] = process.argv;
const eventStore = await openEventStore(eventStoreUrl, { readOnly: true });
const readModelStore = await openReadModelStore(readModelUrl);
await readModelStore.prepare(projections);
const subscribed = new SubscribedEvents(new StreamNames());
const host = new ProjectorHost({ eventStore, readModelStore, projections, subscribed });
process.stdin.resume();
host.start({
  advanced: (position) => process.stdout.write(`${position}\n`),
  role: () => undefined,
  failure: (reason) => reason && process.stderr.write(`${reason}\n`),
});
