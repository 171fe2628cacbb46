/** Memory of log bodies that is given back before garbage collection looks for it. */
import { expect, it } from '@jest/globals';
import { freeMemory, ownMemory } from '../../../../src/foundation/basics/own-memory.js';

const BYTES = 64 * 1024 * 1024;

it('frees buffers at once', () => {
  const before = process.memoryUsage().arrayBuffers;
  const bytes = new Uint8Array(BYTES);
  expect(process.memoryUsage().arrayBuffers - before).toBeGreaterThanOrEqual(BYTES);
  freeMemory(ownMemory(bytes));
  expect(bytes).toHaveLength(0);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(BYTES);
});

it('leaves a buffer that other values share', () => {
  const bytes = new Uint8Array([1, 2, 3]);
  freeMemory(ownMemory(bytes.subarray(1)));
  expect([...bytes]).toEqual([1, 2, 3]);
});
