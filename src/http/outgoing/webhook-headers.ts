/** The signature of what the server posts to users' URLs, as Standard Webhooks has it. */
import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

/** The form of a secret of Standard Webhooks, with 256 bits. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

interface Signed {
  readonly secret: string;
  /** The same for each attempt. */
  readonly messageId: string;
  readonly body: string;
}

/** Of this attempt: the time of its sending is signed too. */
export const webhookHeaders = ({ secret, messageId, body }: Signed): Readonly<Record<string, string>> => {
  const at = new Date();
  return {
    'webhook-id': messageId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(messageId, at, body),
  };
};
