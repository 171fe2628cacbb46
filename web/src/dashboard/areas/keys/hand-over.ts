/**
 * What a device needs to enter attempts, in the two ways in which it is handed over: a line for a terminal, and the text of a QR
 * code. The code holds JSON: `{"podium":1,"url":…,"spaceId":…,"competitionId":…,"key":…}`; `podium` is the version of
 * this form, `url` the server without a slash at its end.
 */

import { shellQuoted } from '../../../format.js';

interface KeyHandOver {
  /** Of the server, such as `https://results.example.org`. */
  readonly url: string;
  readonly spaceId: string;
  readonly competitionId: string;
  readonly key: string;
}

export const qrText = ({ url, spaceId, competitionId, key }: KeyHandOver): string =>
  JSON.stringify({ podium: 1, url, spaceId, competitionId, key });

/** Enters 9.34 as somebody's first attempt; event and person are to be filled in. */
export const curlLine = ({ url, spaceId, competitionId, key }: KeyHandOver): string => {
  const attempt = {
    ...(spaceId === 'default' ? {} : { spaceId }),
    competitionId,
    eventId: '333',
    roundNumber: 1,
    personId: 1,
    attemptNumber: 1,
    attemptResult: 934,
  };
  return [
    `curl -X POST ${shellQuoted(`${url}/api/enter-attempt`)}`,
    `-H ${shellQuoted(`x-api-key: ${key}`)} -H 'content-type: application/json'`,
    `-d ${shellQuoted(JSON.stringify(attempt))}`,
  ].join(' \\\n  ');
};
