/** A copy of a table leaves no row out, or fails. */
import { expect, it } from '@jest/globals';
import { wholeTable } from '../../../../../src/engines/sqlite/operational/whole-table.js';

/** The table answers with these pages, one after another. */
const copyOf = (...pages: readonly (readonly number[])[]): readonly (readonly number[])[] => {
  const left = [...pages];
  return [
    ...wholeTable(
      { complete: (_table, answer) => answer },
      'profiles',
      () => left.shift() ?? [],
      (key: number) => key,
      0,
    ),
  ];
};

it('has all pages, to the empty one', () => {
  expect(copyOf([1, 2], [3, 9], [10])).toEqual([[1, 2], [3, 9], [10]]);
  expect(copyOf()).toEqual([]);
});

it.each([[[3, 2]], [[2, 3]], [[1]]])(
  'throws at a page that ends where one before it ended, or sooner: %j',
  (again) => {
    expect(() => copyOf([1, 2, 3], again)).toThrow(
      expect.objectContaining({
        damage: {
          store: 'operational',
          place: 'collection profiles',
          reason: 'its rows are not in their order',
        },
      }),
    );
  },
);
