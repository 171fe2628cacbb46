/**
 * The baseline of result entry: node:http that parses the same body, appends one event to the same event store
 * at the known revision, and sends a reply of the same size. No keys, no rules, no state of a round: it
 * measures what remains without Podium.
 */

import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { openEventStore } from '../../dist/app/stores/open-event-store.js';

const streamOf = (prefix, { spaceId = 'default', competitionId, eventId, roundNumber }) =>
  `${prefix}/round/${spaceId}/${competitionId}/${eventId}/${roundNumber}`;

const eventOf = (body) => ({
  id: randomUUID(),
  type: 'AttemptEntered',
  data: {
    resultId: `${body.competitionId}_${body.eventId}_r${body.roundNumber}_${body.personId}`,
    personIds: [body.personId],
    attemptNumber: body.attemptNumber,
    value: body.attemptResult,
  },
  metadata: { actor: 'device', keyId: 'bench', correlationId: randomUUID(), schema: 1 },
});

/** `prefix` of its streams: beside Podium on one server it has streams of its own. */
const serve = async ({ eventStoreUrl, replyBytes, prefix = 'podium' }) => {
  const store = await openEventStore(eventStoreUrl);
  const revisions = new Map();
  const filler = 'x'.repeat(Math.max(0, replyBytes - 20));

  const expectedOf = async (stream) => {
    if (!revisions.has(stream)) {
      const last = await store.readStream(stream, { direction: 'backwards', limit: 1 });
      if (!revisions.has(stream)) revisions.set(stream, last === null ? -1 : last[0].revision);
    }
    const revision = revisions.get(stream);
    revisions.set(stream, revision + 1);
    return revision;
  };

  const answer = async (text, response) => {
    const body = JSON.parse(text);
    const stream = streamOf(prefix, body);
    const appended = await store.append(stream, await expectedOf(stream), [eventOf(body)]);
    const reply = JSON.stringify({ position: appended.position, filler });
    response.writeHead(appended.ok ? 201 : 503, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(reply),
    });
    response.end(reply);
  };

  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      answer(Buffer.concat(chunks).toString(), response).catch((error) => {
        response.writeHead(500, { 'content-length': 0 }).end();
        process.stderr.write(`${error.stack}\n`);
      });
    });
  });
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
  process.once('SIGTERM', () => store.close().then(() => process.exit(0)));
};

process.once('message', (order) => serve(order));
