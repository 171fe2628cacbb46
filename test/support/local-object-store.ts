/**
 * A bucket on the loopback that takes objects as S3 does: it checks the signature of each request (AWS Signature Version 4, from its
 * documentation) and the hash of the body, and answers 403 to a wrong one.
 */
import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { freePort } from './free-port.js';

export interface LocalObjectStore {
  readonly url: string;
  /** The settings of a server that may write into it. */
  readonly settings: Readonly<Record<string, string>>;
  /** By key. */
  readonly objects: Map<string, Buffer>;
  /** Statuses of its next replies; what a correct store answers after these. */
  readonly statuses: number[];
  close(): Promise<void>;
}

const KEY_ID = 'AKIDEXAMPLE';
const SECRET = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';
const REGION = 'eu-west-1';

const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

const encoded = (part: string): string =>
  encodeURIComponent(decodeURIComponent(part)).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** The Authorization header that the request has to have. */
const authorizationOf = ({ method = '', url = '', headers }: IncomingMessage): string => {
  const [, signedNames = ''] = /SignedHeaders=([^,]+)/.exec(headers.authorization ?? '') ?? [];
  const at = String(headers['x-amz-date']);
  const scope = `${at.slice(0, 8)}/${REGION}/s3/aws4_request`;
  const canonical = [
    method,
    url.split('/').map(encoded).join('/'),
    '',
    ...signedNames.split(';').map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    signedNames,
    String(headers['x-amz-content-sha256']),
  ].join('\n');
  const signed = ['AWS4-HMAC-SHA256', at, scope, sha256(canonical)].join('\n');
  const key = [at.slice(0, 8), REGION, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${SECRET}`);
  const signature = hmac(key, signed).toString('hex');
  return `AWS4-HMAC-SHA256 Credential=${KEY_ID}/${scope}, SignedHeaders=${signedNames}, Signature=${signature}`;
};

export const startObjectStore = async (): Promise<LocalObjectStore> => {
  const objects = new Map<string, Buffer>();
  const statuses: number[] = [];
  const answerTo = async (request: IncomingMessage): Promise<number> => {
    const body = await buffer(request);
    const status = statuses.shift();
    if (status !== undefined) return status;
    const { authorization, host } = request.headers;
    const covers = ['host', 'x-amz-content-sha256', 'x-amz-date'].every((name) =>
      authorization?.includes(name),
    );
    if (!covers || host === undefined || authorization !== authorizationOf(request)) return 403;
    if (request.headers['x-amz-content-sha256'] !== sha256(body)) return 400;
    if (request.method !== 'PUT') return 405;
    objects.set(decodeURIComponent(String(request.url).replace('/bucket/', '')), body);
    return 200;
  };
  const server = createServer((request, response) => {
    void answerTo(request).then((status) => response.writeHead(status).end());
  });
  const port = await freePort();
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${port}/bucket`;
  return {
    url,
    settings: {
      PODIUM_S3_URL: url,
      PODIUM_S3_KEY_ID: KEY_ID,
      PODIUM_S3_SECRET: SECRET,
      PODIUM_S3_REGION: REGION,
    },
    objects,
    statuses,
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
};
