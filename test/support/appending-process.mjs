/**
 * A process that appends to streams of an event store, each event with the exact revision it expects, several at once,
 * and prints `STREAM REVISION ID` for each event that was acknowledged.
 *
 * Arguments: the store's URL, the number of events to win (0: until killed), the streams.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { v7 as newEventId } from 'uuid';
import { openEventStore } from '../../dist/app/stores/open-event-store.js';
import { NO_STREAM } from '../../dist/foundation/event-store/event-store.js';

const [url, wanted, ...streams] = process.argv.slice(2);
const store = await openEventStore(url);
const metadata = { actor: 'test', correlationId: String(process.pid), schema: 1 };

const appendTo = async (stream) => {
  let expected = NO_STREAM;
  for (let won = 0; won < Number(wanted) || wanted === '0'; ) {
    const id = newEventId();
    const result = await store.append(stream, expected, [{ id, type: 'Happened', data: { won }, metadata }]);
    expected = result.ok ? result.revision : result.actual;
    if (result.ok) {
      won += 1;
      process.stdout.write(`${stream} ${result.revision} ${id}\n`);
    }
    await nextTurn();
  }
};

await Promise.all(streams.map(appendTo));
await store.close();
