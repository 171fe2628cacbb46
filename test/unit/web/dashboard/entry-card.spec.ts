/** Calling a competitor, and a card that is typed while the round goes on. */
import { describe, expect, it } from '@jest/globals';
import type { CompetitorView } from '../../../../src/competition/contests/contest.queries.js';
import {
  blankCard,
  differences,
  firstMissing,
  lastTyped,
  readDraft,
  untouchedCard,
  withTyped,
} from '../../../../web/src/dashboard/areas/entry/card-state.js';
import { findCompetitors } from '../../../../web/src/dashboard/areas/entry/find-competitor.js';

const competitor = (number: number | null, name: string, assocId: string | null = null): CompetitorView => ({
  number,
  person: { id: number ?? 99, name, localizedName: null, regionCode: null, assocId },
});

describe('calling a competitor', () => {
  const all = [
    competitor(1, 'Bob Stone'),
    competitor(2, 'Zoë Müller', '2016MULL01'),
    competitor(12, 'Ann Bobson'),
    competitor(21, 'Jean-Luc Petit'),
    competitor(null, 'Jim Two'),
  ];
  const found = (typed: string): readonly string[] =>
    findCompetitors(all, typed).map(({ person }) => person.name);

  it.each([
    ['1', ['Bob Stone']],
    ['2', ['Zoë Müller']],
    ['201', []],
    ['12', ['Ann Bobson']],
    ['bob', ['Bob Stone', 'Ann Bobson']],
    ['ann bob', ['Ann Bobson']],
    ['zoe mu', ['Zoë Müller']],
    ['luc', ['Jean-Luc Petit']],
    ['tone', ['Bob Stone']],
    ['2016mull', ['Zoë Müller']],
    ['', []],
    ['7', []],
    ['nobody', []],
  ])('%j finds %j', (typed, names) => expect(found(typed)).toEqual(names));
});

describe('a card', () => {
  const typed = (index: number, text: string, entered = 0) =>
    withTyped(untouchedCard(3), index, { text, entered });

  it('shows attempts that the user has not touched as the round has them now', () => {
    const { draft } = typed(0, '1500');
    expect(readDraft(draft, [900, 0, 0], 'time').attempts).toEqual([1_500, 0, 0]);
    expect(readDraft(draft, [900, 1_700, 0], 'time').attempts).toEqual([1_500, 1_700, 0]);
  });
  it('clears what was emptied, and names the first that cannot be read', () => {
    expect(readDraft(typed(0, '').draft, [900, 800, 0], 'time').attempts).toEqual([0, 800, 0]);
    expect(readDraft(['1500', '12x', 'y'], [0, 0, 0], 'time').unreadable).toBe(1);
    expect(readDraft(untouchedCard(2).draft, [900, -2], 'time').unreadable).toBe(-1);
  });
  it('is blank for typing a second time', () =>
    expect(readDraft(blankCard(2, null).draft, [900, 800], 'time').attempts).toEqual([0, 0]));
  it('is blank in one attempt only when that one is typed a second time', () =>
    expect(readDraft(blankCard(3, 1).draft, [900, 800, 700], 'time').attempts).toEqual([900, 0, 700]));
  it('remembers what the round said as an attempt was first touched, and where typing broke off', () => {
    const card = withTyped(typed(1, '15', 900), 1, { text: '150', entered: 1_200 });
    expect(card).toEqual({ draft: [null, '150', null], seen: [null, 900, null] });
    expect(lastTyped(card)).toBe(1);
    expect(lastTyped(untouchedCard(3))).toBe(-1);
    expect(lastTyped(blankCard(3, null))).toBe(-1);
  });
  it('begins at the first attempt that is missing and may be taken', () => {
    expect(firstMissing([900, 0, 0], 3)).toBe(1);
    expect(firstMissing([900, 800, 0], 2)).toBe(0);
    expect(firstMissing([900, 800], 2)).toBe(0);
  });
  it('differs where it differs', () => {
    expect(differences([1, 2, -1], [1, 3, -1])).toEqual([1]);
    expect(differences([1, 2], [1])).toEqual([1]);
    expect(differences([1], [1])).toEqual([]);
  });
});
