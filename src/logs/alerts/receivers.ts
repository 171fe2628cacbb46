/** Sends messages to the receivers of alerts: signed as Standard Webhooks has it, or as Slack's JSON. */
import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Webhook } from 'standardwebhooks';
import { messageOf } from '../../foundation/basics/error-message.js';
import { OutgoingPosts, RefusedUrlError } from '../../http/outgoing/outgoing-posts.js';
import type { AlertMessage, Receiver } from './alert.js';
import type { FailedAttempt } from './delivery.js';
import { bodyFor } from './message.js';

const GONE = 410;

/** The form of a secret of Standard Webhooks, with 256 bits. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

@Injectable()
export class Receivers {
  constructor(private readonly posts: OutgoingPosts) {}

  /** Returns null when the receiver has taken the message. */
  async send(receiver: Receiver, message: AlertMessage, signal: AbortSignal): Promise<FailedAttempt | null> {
    const body = bodyFor(receiver, message);
    const headers = { 'content-type': 'application/json', ...signatureOf(receiver, message, body) };
    try {
      const status = await this.posts.send({ url: receiver.url, headers, body, signal });
      return status >= 200 && status < 300
        ? null
        : { problem: `it answered ${status}`, final: status === GONE };
    } catch (error) {
      return { problem: messageOf(error), final: error instanceof RefusedUrlError };
    }
  }
}

/** Of this attempt: the time of its sending is signed too. */
const signatureOf = (
  receiver: Receiver,
  { messageId }: AlertMessage,
  body: string,
): Readonly<Record<string, string>> => {
  if (receiver.kind !== 'webhook') return {};
  const at = new Date();
  return {
    'webhook-id': messageId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(receiver.secret).sign(messageId, at, body),
  };
};
