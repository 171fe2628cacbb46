/**
 * What a device or program needs to use a key, in two forms: a curl line, and for entry the text of a QR code. The QR code
 * has JSON: `{"podium":1,"url":…,"spaceId":…,"competitionId":…,"key":…}`. `podium` is the version of this format, `url` the server
 * without a trailing slash.
 */

import type { KeyPurpose } from '../../../../../src/domain/key-purposes.js';
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

export const curlLine = (handOver: KeyHandOver, purpose: KeyPurpose): string =>
  purpose === 'entry' ? entryLine(handOver) : listLine(handOver);

/** Enters 9.34 as a first attempt. The user replaces event and person. */
const entryLine = ({ url, spaceId, competitionId, key }: KeyHandOver): string => {
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

/** Replaces the list by that of a file, which a GET of the same path shows the form of. */
const listLine = ({ url, spaceId, competitionId, key }: KeyHandOver): string => {
  const space = spaceId === 'default' ? '' : `/${spaceId}`;
  return [
    `curl -X PUT ${shellQuoted(`${url}/api${space}/competitions/${competitionId}/competitors`)}`,
    `-H ${shellQuoted(`x-api-key: ${key}`)} -H 'if-match: *' -H 'content-type: application/json'`,
    '-d @competitors.json',
  ].join(' \\\n  ');
};
