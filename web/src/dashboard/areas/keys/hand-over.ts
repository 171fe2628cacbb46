/**
 * What a device needs to enter attempts, in two forms: a curl line, and the text of a QR code. The QR code has JSON:
 * `{"podium":1,"url":…,"spaceId":…,"competitionId":…,"key":…}`. `podium` is the version of this format, `url` the server
 * without a trailing slash.
 */

import { shellQuoted } from '../../../format.js';

interface KeyHandOver {
  /** The server, such as `https://results.example.org`. */
  readonly url: string;
  readonly spaceId: string;
  readonly competitionId: string;
  readonly key: string;
}

export const qrText = ({ url, spaceId, competitionId, key }: KeyHandOver): string =>
  JSON.stringify({ podium: 1, url, spaceId, competitionId, key });

/** Enters 9.34 as a first attempt. The user replaces event and person. */
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
