/**
 * Writes objects into the operator's bucket, at any store that speaks the protocol of S3. The settings name it, so its address is not
 * checked as those of OutgoingPosts are. What the store says stays in the log of this server.
 */
import { createHash } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { AwsClient } from 'aws4fetch';
import { messageOf } from '../../foundation/basics/error-message.js';
import { CONFIG, type PodiumConfig } from '../../foundation/config.js';
import type { ObjectStoreConfig } from '../../foundation/outgoing-config.js';

const TIMEOUT_MS = 30_000;
const MAX_LOGGED = 300;

/** The store did not take the object. Its message is for callers. */
export class ObjectRefusedError extends Error {
  constructor(
    message: string,
    /** Of the reply. */
    readonly status: number,
  ) {
    super(message);
    this.name = 'ObjectRefusedError';
  }
}

@Injectable()
export class OutgoingObjects {
  readonly #logger = new Logger('Objects');
  readonly #config: ObjectStoreConfig | null;

  constructor(@Inject(CONFIG) { objectStore }: Pick<PodiumConfig, 'objectStore'>) {
    this.#config = objectStore;
  }

  get isSet(): boolean {
    return this.#config !== null;
  }

  /** Replaces an object that is there. Throws ObjectRefusedError, or another Error with what callers may know, within 30 s. */
  async put(key: string, body: Buffer, signal: AbortSignal): Promise<void> {
    if (this.#config === null) throw new Error('the server has no PODIUM_S3_URL');
    const { url, keyId, secret, region } = this.#config;
    const client = new AwsClient({ accessKeyId: keyId, secretAccessKey: secret, service: 's3', region });
    const request = await client.sign(`${url.replace(/\/$/, '')}/${key}`, {
      method: 'PUT',
      body,
      // So that the body is signed, too.
      headers: { 'x-amz-content-sha256': createHash('sha256').update(body).digest('hex') },
    });
    const until = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const reply = await fetch(request, { signal: until, redirect: 'error' }).catch((error: unknown) =>
      this.#fail(new Error('the object store did not answer'), key, messageOf(error)),
    );
    const text = await reply.text().catch(() => '');
    if (reply.ok) return;
    const problem = `the object store answered ${reply.status}`;
    this.#fail(new ObjectRefusedError(problem, reply.status), key, text.slice(0, MAX_LOGGED));
  }

  #fail(error: Error, key: string, detail: string): never {
    this.#logger.warn(`${key} was not written: ${error.message}: ${detail}`);
    throw error;
  }
}
