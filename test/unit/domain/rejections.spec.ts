/** What a refusal says of its fields. */
import { expect, it } from '@jest/globals';
import { invalid } from '../../../src/domain/rejections.js';

it('names each field once, also where the message begins with it', () => {
  const { detail } = invalid([
    { field: 'name', rule: 'pattern', message: 'name must be short' },
    { field: 'startDate', rule: 'date', message: 'must be a day' },
  ]);
  expect(detail).toBe('name must be short; startDate: must be a day');
});
