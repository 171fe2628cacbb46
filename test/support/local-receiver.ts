/** A receiver of messages on the loopback, which a server under test may reach when PODIUM_ALERT_HOSTS lists 127.0.0.1. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { freePort } from './free-port.js';

export interface ReceivedMessage {
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  /** Unpacked. */
  readonly body: string;
  /** The body as it was sent. */
  readonly bytes: Buffer;
}

export interface LocalReceiver {
  readonly url: string;
  readonly received: ReceivedMessage[];
  /** Statuses of its next replies; 204 after these. */
  readonly statuses: number[];
  close(): Promise<void>;
}

export const startReceiver = async (): Promise<LocalReceiver> => {
  const received: ReceivedMessage[] = [];
  const statuses: number[] = [];
  const server = createServer((request, response) => {
    void buffer(request).then((bytes) => {
      const { url, headers } = request;
      const body = headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
      received.push({ url, headers, body: body.toString(), bytes });
      response.writeHead(statuses.shift() ?? 204).end();
    });
  });
  const port = await freePort();
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    statuses,
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
};
