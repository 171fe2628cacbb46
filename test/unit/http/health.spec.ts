/** Where a node says that others find it: on all addresses, by the name of its machine. */
import { hostname } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import { addressAmongNodes } from '../../../src/http/observability/health.js';

describe('the address that a node announces', () => {
  it.each(['0.0.0.0', '::'])('is the name of its machine where it binds to %s', (host) => {
    expect(addressAmongNodes(host, 'http://127.0.0.1:3000')).toBe(`http://${hostname()}:3000`);
  });

  it('is where it binds otherwise', () => {
    expect(addressAmongNodes('192.0.2.7', 'http://192.0.2.7:3000')).toBe('http://192.0.2.7:3000');
  });
});
