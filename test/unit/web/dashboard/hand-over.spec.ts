/** How a key is handed to a device: the documented text of its code, and a line that a shell reads as it was meant. */
import { execFileSync } from 'node:child_process';
import { expect, it } from '@jest/globals';
import { curlLine, qrText } from '../../../../web/src/dashboard/areas/keys/hand-over.js';

const handed = {
  url: 'https://results.example.org',
  spaceId: 'club',
  competitionId: 'SpringOpen2026',
  key: 'podium_4f9k2mq7x01b_secret',
};

it('the code holds server, space, contest and key', () =>
  expect(JSON.parse(qrText(handed))).toEqual({ podium: 1, ...handed }));

/** As a shell reads the line, without curl. */
const wordsOf = (line: string): readonly string[] => {
  const shown = line.replace(/^curl /, 'for word in ');
  const words = execFileSync('/bin/sh', ['-c', `${shown}; do printf '%s\\n' "$word"; done`], {
    encoding: 'utf8',
  });
  return words.split('\n');
};

it('the line gives curl the address, the key and an attempt', () => {
  const [post, method, address, , key, , , , body = ''] = wordsOf(curlLine(handed, 'entry'));
  expect([post, method, address]).toEqual(['-X', 'POST', `${handed.url}/api/enter-attempt`]);
  expect(key).toBe(`x-api-key: ${handed.key}`);
  expect(JSON.parse(body)).toMatchObject({ spaceId: 'club', competitionId: handed.competitionId });
});

it('the line of a key for the competitor list replaces that list by a file', () => {
  const { url, spaceId, competitionId, key } = handed;
  expect(wordsOf(curlLine(handed, 'competitors'))).toEqual([
    ...['-X', 'PUT', `${url}/api/${spaceId}/competitions/${competitionId}/competitors`],
    ...['-H', `x-api-key: ${key}`, '-H', 'if-match: *', '-H', 'content-type: application/json'],
    ...['-d', '@competitors.json', ''],
  ]);
  expect(curlLine({ ...handed, spaceId: 'default' }, 'competitors')).toContain(`${url}/api/competitions/`);
});

it('the line keeps quotes in what it is given', () => {
  const line = curlLine({ ...handed, url: "https://o'hara.example" }, 'entry');
  expect(line).toContain(String.raw`'https://o'\''hara.example/api/enter-attempt'`);
});
