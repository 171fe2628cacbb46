/** The device of a session, named in plain words, so that its user recognises it: `Firefox on Windows`. */

/** A session as its user sees it. */
export interface Device {
  readonly deviceId: string;
  /** Browser and system in plain words; null, as the network: the session is of an older version. */
  readonly device: string | null;
  readonly network: string | null;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** ISO 8601, UTC, exact to five minutes. */
  readonly seenAt: string;
  /** Whether the request came from it. */
  readonly isThis: boolean;
}

/** The first that fits wins: most browsers name others too, for old sites. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:HeadlessChrome|Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

const firstOf = (names: readonly (readonly [RegExp, string])[], userAgent: string): string | undefined =>
  names.find(([pattern]) => pattern.test(userAgent))?.[1];

/** `userAgent`: the header of the sign-in; empty when there was none. */
export const deviceNameOf = (userAgent: string): string => {
  const browser = firstOf(BROWSERS, userAgent) ?? 'Unknown program';
  const system = firstOf(SYSTEMS, userAgent);
  return system === undefined ? browser : `${browser} on ${system}`;
};
