/**
 * Sends e-mail through the operator's SMTP server, which a setting names: it may be anywhere, so its address is not checked as those of
 * OutgoingPosts are. What the server says stays in the log of this server, because callers must not learn of its network.
 */
import { Inject, Injectable, Logger } from '@nestjs/common';
import { createTransport, type NodemailerError } from 'nodemailer';
import { messageOf } from '../../foundation/basics/error-message.js';
import { CONFIG, type PodiumConfig } from '../../foundation/config.js';
import type { MailConfig } from '../../foundation/outgoing-config.js';

export interface Mail {
  readonly to: string;
  /** Letters, digits and `_ -`. The same for each attempt; the domain of the sender is added. */
  readonly messageId: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** `isRefused`: the server will not take the message later either. */
export class MailError extends Error {
  constructor(
    message: string,
    readonly isRefused: boolean,
  ) {
    super(message);
    this.name = 'MailError';
  }
}

const TIMEOUT_MS = 10_000;

@Injectable()
export class OutgoingMail {
  readonly #logger = new Logger('Mail');
  readonly #config: MailConfig | null;

  constructor(@Inject(CONFIG) { mail }: Pick<PodiumConfig, 'mail'>) {
    this.#config = mail;
  }

  get isSet(): boolean {
    return this.#config !== null;
  }

  /** Resolves when the SMTP server has taken the message. Throws MailError, within 10 s. */
  async send({ messageId, ...content }: Mail, signal: AbortSignal): Promise<void> {
    if (this.#config === null) throw new MailError('the server has no PODIUM_SMTP_URL', false);
    const { from } = this.#config;
    const transport = transportOf(this.#config);
    try {
      await transport.sendMail({
        ...{ from, ...content, messageId: `<${messageId}@${domainOf(from)}>` },
        // So that answering machines do not answer.
        headers: { 'Auto-Submitted': 'auto-generated' },
        ...{ disableFileAccess: true, disableUrlAccess: true },
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
    } catch (error) {
      this.#logger.warn(`a message to ${content.to} was not sent: ${messageOf(error)}`);
      throw failureOf(error);
    } finally {
      transport.close();
    }
  }
}

/** A password goes over TLS alone, unless the server is on this machine. */
const transportOf = ({ url }: MailConfig) => {
  const { username, hostname } = new URL(url);
  return createTransport({
    url,
    requireTLS: username !== '' && !/^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname),
  });
};

const domainOf = (from: string): string => /@([^@>]+)>?$/.exec(from)?.[1] ?? 'localhost';

const failureOf = (error: unknown): MailError => {
  const { code, responseCode, permanent = false }: Partial<NodemailerError> = Object(error);
  if (responseCode === undefined) return new MailError('the mail server did not take it', false);
  // A password that it refuses is the operator's to mend.
  return new MailError(`the mail server answered ${responseCode}`, permanent && code !== 'EAUTH');
};
