/** What redaction does to random texts: node:net says what an address is. */
import { isIP, isIPv4, isIPv6 } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { addressesIn } from '../../../../src/logs/redaction/addresses.js';
import { redactText } from '../../../../src/logs/redaction/redact.js';
import { propertyRuns } from '../../../support/property-runs.js';

const options = propertyRuns(2_000);

/** One digit at least, which a name in a scope need not have. */
const groups = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 })
  .map(([first = 0, ...rest]) => [(first & 0x0fff) | 0x2000, ...rest]);

const hex = (style: { readonly padded: boolean; readonly upper: boolean }) => (group: number) => {
  const digits = group.toString(16).padStart(style.padded ? 4 : 1, '0');
  return style.upper ? digits.toUpperCase() : digits;
};

/** Any run of zero groups may be left out, and the last two groups may be an IPv4 address. */
const v6 = fc
  .record({
    groups,
    padded: fc.boolean(),
    upper: fc.boolean(),
    gap: fc.option(fc.record({ at: fc.integer({ min: 1, max: 6 }), length: fc.integer({ min: 1, max: 6 }) })),
    embedded: fc.option(fc.ipV4()),
    zone: fc.option(fc.constantFrom('%eth0', '%en1', '%25eth0', '%7', '%wlan0.10')),
  })
  .map(({ groups: all, gap, embedded, zone, ...style }) => {
    const written = (embedded === null ? all : all.slice(0, 6)).map(hex(style));
    if (embedded !== null) written.push(embedded);
    const last = written.length - (embedded === null ? 0 : 1);
    const end = gap ? Math.min(gap.at + gap.length, last) : 0;
    const address =
      gap && gap.at < end
        ? `${written.slice(0, gap.at).join(':')}::${written.slice(end).join(':')}`
        : written.join(':');
    return { address, zone: zone ?? '' };
  });

const v4 = fc.ipV4().map((address) => ({ address, zone: '' }));

/** What may stand beside an address: nothing that would make it a longer one. */
const delimited = (side: 'before' | 'after') => {
  const delimiters = [
    '',
    ' ',
    '"',
    "'",
    '(',
    '[',
    '=',
    ',',
    ';',
    '/',
    '@',
    '|',
    '<',
    '>',
    '\n',
    'é',
    '{',
    '}',
  ];
  const text = fc.string({ unit: 'grapheme' });
  return fc
    .tuple(text, fc.constantFrom(...delimiters.slice(1)))
    .map(([around, delimiter]) => (side === 'before' ? around + delimiter : delimiter + around));
};

describe('redaction', () => {
  it('takes out an address wherever it stands', () => {
    fc.assert(
      fc.property(
        fc.oneof(v6, v4),
        delimited('before'),
        delimited('after'),
        ({ address, zone }, before, after) => {
          expect(isIP(address)).not.toBe(0);
          const redacted = redactText(`${before}${address}${zone}${after}`);
          expect(redacted).toBe(`${redactText(before)}REDACTED${redactText(after)}`);
        },
      ),
      options,
    );
  });

  const isScope = (token: string): boolean => /^[a-f]+::[a-f]+$/i.test(token);

  it('takes out what is an address, and only that, of words made of the characters of addresses', () => {
    const characters = [...'0125', 'a', 'f', 'F', ...'::::....', '25', '::'];
    const token = fc.string({ unit: fc.constantFrom(...characters), minLength: 1, maxLength: 24 });
    fc.assert(
      fc.property(fc.array(token), (tokens) => {
        for (const word of tokens) {
          const redacted = redactText(word);
          if (isIP(word) !== 0 && !isScope(word)) expect(redacted).toBe('REDACTED');
          for (const { start, end } of addressesIn(word)) expect(isIP(word.slice(start, end))).not.toBe(0);
        }
        expect(redactText(tokens.join(' '))).toBe(tokens.map(redactText).join(' '));
      }),
      options,
    );
  });

  it('leaves text without addresses as it is', () => {
    const near = fc.oneof(
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
      fc.uuid(),
      fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 32, maxLength: 64 }),
      fc
        .array(fc.integer({ min: 0, max: 255 }), { minLength: 6, maxLength: 6 })
        .map((bytes) => bytes.map((byte) => byte.toString(16).padStart(2, '0')).join(':')),
      fc
        .array(fc.nat(300), { minLength: 1, maxLength: 8 })
        .filter(({ length }) => length !== 4)
        .map((parts) => parts.join('.')),
      fc
        .tuple(fc.nat(23), fc.nat(59), fc.nat(59))
        .map((parts) => parts.map((one) => String(one).padStart(2, '0')).join(':')),
      fc.constantFrom('std::string', 'Foo::Bar', 'a::b', 'x:y', '1:2', 'word'),
    );
    fc.assert(
      fc.property(fc.array(near), fc.constantFrom(' ', ', ', '/', '|', '\n'), (parts, joint) => {
        const text = parts.join(joint);
        expect(redactText(text)).toBe(text);
      }),
      options,
    );
  });

  it('finds no more in the text than once, in order and apart', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'012:.af%ge '), maxLength: 80 }), (text) => {
        let from = 0;
        for (const { start, end } of addressesIn(text)) {
          expect(start).toBeGreaterThanOrEqual(from);
          expect(end).toBeGreaterThan(start);
          const [address = ''] = text.slice(start, end).split('%');
          expect(isIPv4(address) || isIPv6(address)).toBe(true);
          from = end;
        }
      }),
      options,
    );
  });

  it.each(['1.', '1:', ':', '.', '1.2.3.', 'a::', 'fe80::%', '12345:', 'aaaaa:b:', '%e', '::1%', 'g:1:'])(
    'takes time in proportion to the text: %s, over and over',
    (pattern) => {
      const text = pattern.repeat(400_000 / pattern.length);
      const started = process.cpuUsage();
      redactText(text);
      const { user } = process.cpuUsage(started);
      // Microseconds: a hundred times what it takes, a thousandth of what a quadratic scan would.
      expect(user).toBeLessThan(4_000_000);
    },
  );
});
