/** Sends messages to the receivers of alerts: signed as Standard Webhooks has it, as Slack's JSON, or by e-mail. */
import { Inject, Injectable } from '@nestjs/common';
import { isEmail } from '../../accounts/account-rules.js';
import { messageOf } from '../../foundation/basics/error-message.js';
import { CONFIG, type PodiumConfig } from '../../foundation/config.js';
import { MailError, OutgoingMail } from '../../http/outgoing/outgoing-mail.js';
import { OutgoingPosts, RefusedUrlError } from '../../http/outgoing/outgoing-posts.js';
import { webhookHeaders } from '../../http/outgoing/webhook-headers.js';
import type { AlertMessage, EmailReceiver, PostReceiver, Receiver } from './alert.js';
import type { ReceiverFields } from './alert-body.js';
import { alertMail } from './alert-mail.js';
import type { FailedAttempt } from './delivery.js';
import { bodyFor } from './message.js';

const GONE = 410;
const MAILTO = 'mailto:';

@Injectable()
export class Receivers {
  constructor(
    private readonly posts: OutgoingPosts,
    private readonly mail: OutgoingMail,
    @Inject(CONFIG) private readonly config: Pick<PodiumConfig, 'origin'>,
  ) {}

  /** Why no message may go to the receiver; null: it may, as far as the URL tells. */
  refusal({ kind, url }: ReceiverFields): string | null {
    if (kind !== 'email') return this.posts.refusal(url);
    if (!this.mail.isSet) return 'cannot be reached: the server has no PODIUM_SMTP_URL';
    const isAddress = url.startsWith(MAILTO) && isEmail(addressOf(url));
    return isAddress ? null : 'must be mailto: and one address, such as mailto:ops@example.com';
  }

  /** Returns null when the receiver has taken the message. */
  async send(receiver: Receiver, message: AlertMessage, signal: AbortSignal): Promise<FailedAttempt | null> {
    return receiver.kind === 'email'
      ? this.#mailTo(receiver, message, signal)
      : this.#postTo(receiver, message, signal);
  }

  async #mailTo(
    { url }: EmailReceiver,
    message: AlertMessage,
    signal: AbortSignal,
  ): Promise<FailedAttempt | null> {
    const { origin } = this.config;
    const link = origin && new URL(`/dashboard/logs/alerts/${message.alert.id}`, origin).href;
    const { messageId } = message;
    try {
      await this.mail.send({ to: addressOf(url), messageId, ...alertMail(message, link) }, signal);
      return null;
    } catch (error) {
      return { problem: messageOf(error), final: error instanceof MailError && error.isRefused };
    }
  }

  async #postTo(
    receiver: PostReceiver,
    message: AlertMessage,
    signal: AbortSignal,
  ): Promise<FailedAttempt | null> {
    const body = bodyFor(receiver, message);
    const { messageId } = message;
    const headers = {
      'content-type': 'application/json',
      ...(receiver.kind === 'webhook' && webhookHeaders({ secret: receiver.secret, messageId, body })),
    };
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

const addressOf = (url: string): string => url.slice(MAILTO.length);
