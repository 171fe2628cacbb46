/**
 * Finds IPv4 and IPv6 addresses in running text, in one pass and in time linear in its length. The text is cut into
 * pieces of the characters that addresses are made of; what a piece can be is decided by its colons and dots and by
 * what stands next to it, and node:net has the last word.
 *
 * A piece that touches a letter is part of a word there: `std::bad` holds no address, `code:fe80::1` holds one after
 * the colon. IPv4 is never part of a word, so letters beside it do not matter; a fifth number does (`1.2.3.4.5`).
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
/** A letter that is no hexadecimal digit, or an underscore. */
const LETTER = 16;
const PIECE = HEX | DIGIT | COLON | DOT;

/** Class of each ASCII character; all others are 0. */
const CLASSES = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (character === ':') return COLON;
  if (character === '.') return DOT;
  if (/[0-9]/.test(character)) return DIGIT;
  if (/[a-f]/i.test(character)) return HEX;
  return /[a-z_]/i.test(character) ? LETTER : 0;
});

const classAt = (text: string, at: number): number => CLASSES[text.charCodeAt(at)] ?? 0;

/** Whether there are colons or dots enough; almost all texts have not. */
const canHold = (text: string): boolean =>
  text.indexOf(':', text.indexOf(':') + 1) > 0 ||
  text.indexOf('.', text.indexOf('.', text.indexOf('.') + 1) + 1) > 0;

/** In order, none overlapping another. */
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

/** The characters of addresses that begin at `at`. */
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

/** Eight groups, or six before an IPv4 address, or some left out. Times have neither. */
const mayHoldV6 = (text: string, { start, end, colons }: Piece): boolean =>
  colons >= 6 || (colons >= 2 && text.slice(start, end).includes('::'));

/** What of a piece may be an IPv6 address, and whether a word begins or ends in it. */
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

/** A group of an address has at most four digits; a longer one (`1700000000:`, `deadbeef:`) is a word of its own. */
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

/** The longest address in full, and what may cling to it: dots, a colon on either side, a port. */
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
 * Without what belongs to a word on either side, up to its colon (an IPv4 address at the end belongs to none), and
 * without dots at the ends.
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
 * `a::b`, `Bad::Cafe`: an address by its letters, and a name in a scope by the look of it. Nothing that networks give out
 * has no digit, one group on each side, and a group of less than four letters or a capital in front.
 */
const isScope = (candidate: string): boolean => {
  const [, ...groups] = /^([a-f]+)::([a-f]+)$/i.exec(candidate) ?? [];
  return groups.some((group) => group.length < 4 || /^[A-F][a-f]/.test(group));
};

/** `%eth0` behind an address goes with it, in the spelling of URLs (`%25eth0`) too. */
const zoneEnd = (text: string, end: number): number => {
  if (text[end] !== '%') return end;
  let zone = end + 1;
  while (/[\w.~-]/.test(text.charAt(zone))) zone += 1;
  while (/[.~-]/.test(text.charAt(zone - 1))) zone -= 1;
  return zone > end + 1 ? zone : end;
};

/** Four numbers with a dot between each, and no fifth. */
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
