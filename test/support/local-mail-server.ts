/** An SMTP server on the loopback that keeps what it is sent. */
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  readonly to: readonly string[];
  readonly from: string;
  /** Who signed in; undefined: the sender did not. */
  readonly user: string | undefined;
  /** Header and body as they were sent. */
  readonly content: string;
}

export interface LocalMailServer {
  readonly port: number;
  readonly received: ReceivedMail[];
  /** Codes with which it refuses the next recipients. */
  readonly refusals: number[];
  close(): Promise<void>;
}

/** `password`: what it asks of a sender; null: nothing. */
export const startMailServer = async (password: string | null = null): Promise<LocalMailServer> => {
  const received: ReceivedMail[] = [];
  const refusals: number[] = [];
  const server = new SMTPServer({
    authOptional: password === null,
    allowInsecureAuth: true,
    // No TLS, because its certificate would be signed by nobody.
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password: given }, _session, done) =>
      given === password ? done(null, { user: username }) : done(new Error('no')),
    onRcptTo: (_address, _session, done) => {
      const code = refusals.shift();
      done(code === undefined ? null : Object.assign(new Error('refused'), { responseCode: code }));
    },
    onData: (stream, { envelope, user }, done) => {
      void text(stream).then((content) => {
        const { mailFrom, rcptTo } = envelope;
        const from = mailFrom === false ? '' : mailFrom.address;
        received.push({ to: rcptTo.map(({ address }) => address), from, user, content });
        done();
      });
    },
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', () => listening()));
  const { port }: Pick<AddressInfo, 'port'> = Object(server.server.address());
  return { port, received, refusals, close: () => new Promise((closed) => server.close(() => closed())) };
};
