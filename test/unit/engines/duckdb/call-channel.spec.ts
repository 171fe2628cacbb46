/** Answers of the log store's process: each ends its own call, whatever is in it. */
import { Duplex } from 'node:stream';
import { expect, it } from '@jest/globals';
import { CallChannel, CallFailedError } from '../../../../src/engines/duckdb/call-channel.js';
import { writeFrame } from '../../../../src/engines/duckdb/frames.js';

it('fails the call whose answer is no JSON, and no other', async () => {
  const stream = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() });
  const answer = (call: number, text: string): void => {
    const written = new Duplex({
      read: () => undefined,
      write: (piece, _encoding, done) => {
        stream.push(piece);
        done();
      },
    });
    writeFrame(written, { call, kind: 'text', payload: Buffer.from(text) });
  };
  const channel = new CallChannel(stream);
  const [broken, whole] = [channel.call({ kind: 'counts' }), channel.call({ kind: 'counts' })];
  answer(1, '{"done":{"rows":[{"x":Infinity}]}}');
  answer(2, '{"done":{"edge_logs":7}}');
  await expect(broken).rejects.toThrow(CallFailedError);
  await expect(broken).rejects.toThrow('the result holds a value that JSON has no text for');
  expect(await whole).toEqual({ edge_logs: 7 });
});
