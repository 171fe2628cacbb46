import { describe, expect, it } from '@jest/globals';
import { decodePosition, encodePosition } from '../../../../src/foundation/event-store/position-token.js';

const STORE = '0f8e1c2a-7b1d-4f58-9a3e-0123456789ab';

describe('the token of a position', () => {
  it.each([0, 1, 35, 36, 1_000_000, Number.MAX_SAFE_INTEGER])('gives %d back', (position) => {
    expect(decodePosition(STORE, encodePosition(STORE, position))).toBe(position);
  });

  it('of another store is foreign', () => {
    expect(decodePosition(STORE, encodePosition('ffffffff-0000-4000-8000-000000000000', 7))).toBe('foreign');
  });

  it.each(['', '12', '0f8e1c2a', '0f8e1c2a-', '0F8E1C2A-7', '0f8e1c2a-7 ', '0f8e1c2a-zzzzzzzzzzz'])(
    'was never handed out: %j',
    (token) => {
      expect(decodePosition(STORE, token)).toBe('malformed');
    },
  );
});
