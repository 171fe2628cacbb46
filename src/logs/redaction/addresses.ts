/**
 * Finds IPv4 and IPv6 addresses in text, in one pass and in linear time. The text is split into pieces of the characters
 * that addresses have. The colons and dots of a piece, and its neighbours, decide what it can be; node:net decides last.
 *
 * A piece next to a letter is part of a word: `std::bad` has no address, `code:fe80::1` has one after the colon. An IPv4
 * address is never part of a word, so letters beside it do not matter. A fifth number does (`1.2.3.4.5`).
 */
import { isIPv4, isIPv6 } from 'node:net';

/** Offsets into the text, the end exclusive. */
export interface AddressSpan {
  readonly start: number;
  readonly end: number;
}

const NONE: readonly AddressSpan[] = [];

const HEX = 1;
const DIGIT = 2;
const COLON = 4;
const DOT = 8;
/** A letter that is not a hexadecimal digit, or an underscore. */
const LETTER = 16;
const PIECE = HEX | DIGIT | COLON | DOT;

/** Class of each ASCII character; 0 for all others. */
const CLASSES = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (character === ':') return COLON;
  if (character === '.') return DOT;
  if (/[0-9]/.test(character)) return DIGIT;
  if (/[a-f]/i.test(character)) return HEX;
  return /[a-z_]/i.test(character) ? LETTER : 0;
});

const classAt = (text: string, at: number): number => CLASSES[text.charCodeAt(at)] ?? 0;

/** Whether the text has enough colons or dots for an address. Almost no text has. */
const canHold = (text: string): boolean =>
  text.indexOf(':', text.indexOf(':') + 1) > 0 ||
  text.indexOf('.', text.indexOf('.', text.indexOf('.') + 1) + 1) > 0;

/** Returns the spans in order. They do not overlap. */
export const addressesIn = (text: string): readonly AddressSpan[] => {
  if (!canHold(text)) return NONE;
  const found: AddressSpan[] = [];
  for (let at = 0; at < text.length; ) {
    if ((classAt(text, at) & PIECE) === 0) {
      at += 1;
      continue;
    }
    const piece = pieceFrom(text, at);
    if (mayHoldV6(text, piece)) addAll(text, piece, found);
    else if (piece.dots >= 3) addV4(text, piece, found);
    at = Math.max(piece.end + 1, found.at(-1)?.end ?? 0);
  }
  return found;
};

interface Piece extends AddressSpan {
  readonly colons: number;
  readonly dots: number;
}

/** Returns the run of address characters that begins at `at`. */
const pieceFrom = (text: string, at: number): Piece => {
  let colons = 0;
  let dots = 0;
  let end = at;
  for (let kind = classAt(text, end); (kind & PIECE) !== 0; kind = classAt(text, end)) {
    if (kind === COLON) colons += 1;
    if (kind === DOT) dots += 1;
    end += 1;
  }
  return { start: at, end, colons, dots };
};

/** An IPv6 address has eight groups, or six before an IPv4 address, or `::`. A time of day has none of these. */
const mayHoldV6 = (text: string, { start, end, colons }: Piece): boolean =>
  colons >= 6 || (colons >= 2 && text.slice(start, end).includes('::'));

/** A part of a piece that may be an IPv6 address, and whether a word runs into it on either side. */
interface Part extends AddressSpan {
  readonly inWordBefore: boolean;
  readonly inWordAfter: boolean;
}

const addAll = (text: string, piece: Piece, found: AddressSpan[]): void => {
  let from = piece.start;
  for (const part of partsOf(text, piece)) {
    const address = v6In(text, part);
    if (!address) continue;
    addV4(text, { start: from, end: address.start }, found);
    from = zoneEnd(text, address.end);
    found.push({ start: address.start, end: from });
  }
  if (from < piece.end) addV4(text, { start: from, end: piece.end }, found);
};

const MAX_GROUP_LENGTH = 4;

/** Splits a piece at groups of more than four digits (`1700000000:`, `deadbeef:`). An address has no such group. */
const partsOf = (text: string, { start, end }: Piece): readonly Part[] => {
  const parts: Part[] = [];
  let from = start;
  let inWordBefore = classAt(text, start - 1) === LETTER;
  for (let group = start; group <= end; ) {
    const colon = text.indexOf(':', group);
    const groupEnd = colon < 0 || colon > end ? end : colon;
    const isLong = groupEnd - group > MAX_GROUP_LENGTH && !text.slice(group, groupEnd).includes('.');
    if (isLong) {
      parts.push({ start: from, end: group, inWordBefore, inWordAfter: group > from });
      from = groupEnd;
      inWordBefore = true;
    }
    group = groupEnd + 1;
  }
  parts.push({ start: from, end, inWordBefore, inWordAfter: classAt(text, end) === LETTER });
  return parts;
};

/** Length of the longest address, and of the dots, colons and port that can be attached to it. */
const MAX_LENGTH = 45 + 12;

const v6In = (text: string, part: Part): AddressSpan | null => {
  const outer = withoutWords(text, part);
  if (outer === null || outer.end - outer.start > MAX_LENGTH) return null;
  const starts = [outer.start];
  if (!part.inWordBefore && text[outer.start] === ':') starts.push(outer.start + 1);
  const ends = [outer.end];
  if (text[outer.end - 1] === ':') ends.push(outer.end - 1);
  const port = /[:.]\d{1,5}$/.exec(text.slice(outer.start, outer.end));
  if (port) ends.push(outer.start + port.index);
  for (const start of starts) {
    for (const end of ends) {
      const candidate = text.slice(start, end);
      if (isIPv6(candidate)) return isScope(candidate) ? null : { start, end };
    }
  }
  return null;
};

/**
 * Returns the part without words on either side, up to their colon, and without dots at the ends. An IPv4 address at the
 * end is not a word.
 */
const withoutWords = (text: string, { start, end, inWordBefore, inWordAfter }: Part): AddressSpan | null => {
  const firstColon = text.indexOf(':', start);
  if (firstColon < 0 || firstColon >= end) return null;
  let from = inWordBefore ? firstColon + 1 : start;
  const lastColon = text.lastIndexOf(':', end - 1);
  let to = inWordAfter && !text.slice(lastColon, end).includes('.') ? lastColon : end;
  while (from < to && text[from] === '.') from += 1;
  while (from < to && text[to - 1] === '.') to -= 1;
  const isRuler = /^:{3,}$/.test(text.slice(from, to));
  return from < to && !isRuler ? { start: from, end: to } : null;
};

/**
 * Whether a candidate such as `a::b` or `Bad::Cafe` is a name in a scope: no digit, one group on each side, and a group
 * shorter than four letters or with a capital first. Networks do not assign such addresses.
 */
const isScope = (candidate: string): boolean => {
  const [, ...groups] = /^([a-f]+)::([a-f]+)$/i.exec(candidate) ?? [];
  return groups.some((group) => group.length < 4 || /^[A-F][a-f]/.test(group));
};

/** A zone such as `%eth0` belongs to the address, also in URL form (`%25eth0`). */
const zoneEnd = (text: string, end: number): number => {
  if (text[end] !== '%') return end;
  let zone = end + 1;
  while (/[\w.~-]/.test(text.charAt(zone))) zone += 1;
  while (/[.~-]/.test(text.charAt(zone - 1))) zone -= 1;
  return zone > end + 1 ? zone : end;
};

/** An IPv4 address has four numbers with dots, and no fifth. */
const addV4 = (text: string, { start, end }: AddressSpan, found: AddressSpan[]): void => {
  for (let at = start; at < end; at += 1) {
    if (classAt(text, at) !== DIGIT) continue;
    const from = at;
    let numbers = 1;
    for (; at < end; at += 1) {
      const kind = classAt(text, at);
      if (kind === DIGIT) continue;
      if (kind !== DOT || at + 1 === end || classAt(text, at + 1) !== DIGIT) break;
      numbers += 1;
    }
    if (numbers === 4 && at - from <= 15 && isIPv4(text.slice(from, at)))
      found.push({ start: from, end: at });
  }
};
