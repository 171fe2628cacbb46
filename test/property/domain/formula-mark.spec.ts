/** A marked text is no formula, and without its mark it is the text that it was. */
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { withFormulaMark, withoutFormulaMark } from '../../../src/domain/formula-mark.js';

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.tuple(fc.stringMatching(/^['=+\-@\t\r]{0,4}$/), fc.string()).map((parts) => parts.join('')),
);

it('for any text', () => {
  fc.assert(
    fc.property(text, (given) => {
      const marked = withFormulaMark(given);
      expect(marked).not.toMatch(/^[=+\-@\t\r]/);
      expect(withoutFormulaMark(marked)).toBe(given);
    }),
    { numRuns: 2_000 },
  );
});

it('leaves what no spreadsheet runs as it is', () => {
  for (const plain of ['', 'Ann', "'Ann", "O'Neil", ' =1', 'a=b', '１'])
    expect([withFormulaMark(plain), withoutFormulaMark(plain)]).toEqual([plain, plain]);
});
