/** E-mail through the operator's SMTP server: what is sent, and what is told of a failure. */
import { createServer } from 'node:net';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { OutgoingMail } from '../../../../src/http/outgoing/outgoing-mail.js';
import { freePort } from '../../../support/free-port.js';
import { type LocalMailServer, startMailServer } from '../../../support/local-mail-server.js';

let server: LocalMailServer;
let logged: string[];

beforeEach(async () => {
  server = await startMailServer('s3cret');
  logged = [];
  Logger.overrideLogger({
    ...{ log: () => undefined, error: () => undefined },
    warn: (line: string) => logged.push(line),
  });
});
afterEach(async () => {
  jest.restoreAllMocks();
  Logger.overrideLogger(true);
  await server.close();
});

const FROM = 'Podium <podium@results.example>';
const mailOf = (user: string, port = server.port) =>
  new OutgoingMail({ mail: { url: `smtp://${user}@127.0.0.1:${port}`, from: FROM } });
const content = {
  ...{ to: 'ops@example.com', messageId: 'msg_1', subject: 'Größe\r\nBcc: other@example.com' },
  ...{ text: 'plain', html: '<p>rich</p>' },
};
const never = new AbortController().signal;

it('goes to its one receiver, with the given Message-ID, as text and as HTML', async () => {
  await mailOf('podium:s3cret').send(content, never);
  expect(server.received).toMatchObject([
    { to: ['ops@example.com'], from: 'podium@results.example', user: 'podium' },
  ]);
  const [{ content: sent } = { content: '' }] = server.received;
  expect(sent).toContain('Message-ID: <msg_1@results.example>');
  expect(sent).toContain('Auto-Submitted: auto-generated');
  expect(sent).toMatch(/Content-Type: text\/plain.*plain.*Content-Type: text\/html.*<p>rich<\/p>/s);
  // The subject brings no header.
  expect(sent).not.toMatch(/^Bcc/m);
});

it('tells the code of a refusal, and whether the server will take it later', async () => {
  const mail = mailOf('podium:s3cret');
  server.refusals.push(550, 451);
  await expect(mail.send(content, never)).rejects.toMatchObject({
    message: 'the mail server answered 550',
    isRefused: true,
  });
  await expect(mail.send(content, never)).rejects.toMatchObject({
    message: 'the mail server answered 451',
    isRefused: false,
  });
  expect(server.received).toEqual([]);
});

it('tells neither password nor address of the server, and is tried again when the password is wrong', async () => {
  await expect(mailOf('podium:wr0ng').send(content, never)).rejects.toMatchObject({
    message: 'the mail server answered 535',
    isRefused: false,
  });
  const port = await freePort();
  await expect(mailOf('podium:wr0ng', port).send(content, never)).rejects.toMatchObject({
    message: 'the mail server did not take it',
    isRefused: false,
  });
  expect(logged).toHaveLength(2);
  expect(logged.join('\n')).not.toContain('wr0ng');
});

it('ends when its caller ends it, though the server says nothing', async () => {
  const silent = createServer();
  const port = await freePort();
  await new Promise<void>((listening) => silent.listen(port, '127.0.0.1', listening));
  const stop = new AbortController();
  // Of its own it would end after 10 s, too.
  jest.spyOn(AbortSignal, 'timeout').mockReturnValue(never);
  silent.once('connection', () => stop.abort());
  await expect(mailOf('podium:s3cret', port).send(content, stop.signal)).rejects.toThrow('did not take it');
  await new Promise((closed) => silent.close(closed));
  // The library gives up after 30 s.
}, 15_000);

it('is not sent without a setting', async () => {
  const mail = new OutgoingMail({ mail: null });
  expect(mail.isSet).toBe(false);
  await expect(mail.send(content, never)).rejects.toThrow('no PODIUM_SMTP_URL');
});
