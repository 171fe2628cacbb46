import { describe, it } from '@jest/globals';
import {
  MAX_REFERENCES,
  referencesDecider,
} from '../../../../src/competition/aggregates/references/references.decider.js';
import type { ReferenceRecord } from '../../../../src/domain/reference-records.js';
import { givenOf } from '../../../support/given-when-then.js';

const given = givenOf(referencesDecider);

const keyOf = { eventId: '333', kind: 'single', category: 'competitions', region: null } as const;
const world: ReferenceRecord = { ...keyOf, since: '2023-06-11', value: 313, holderId: 1 };
const irish: ReferenceRecord = { ...keyOf, region: 'IE', since: '2022-01-01', value: 500, holderId: null };
const replace = (...references: readonly ReferenceRecord[]) =>
  ({ type: 'ReplaceReferences', references }) as const;
const replaced = (added: readonly ReferenceRecord[], removed: readonly ReferenceRecord[] = []) =>
  ({
    type: 'ReferencesReplaced',
    data: { added, removed: removed.map(({ value: _, holderId: __, ...key }) => key) },
  }) as const;
const before = replaced([world, irish]);

describe('replacing the reference records', () => {
  it('takes the first set', () => given([]).when(replace(world, irish)).then([before]));
  it('changes nothing with the same set, in any order', () =>
    given([before]).when(replace(irish, world)).thenNothing());
  it('adds what is new', () => {
    const earlier = { ...world, since: '2018-11-24', value: 347 };
    return given([before])
      .when(replace(world, irish, earlier))
      .then([replaced([earlier])]);
  });
  it('replaces one with another value or holder', () => {
    const corrected = { ...world, value: 312 };
    const named = { ...irish, holderId: 2 };
    return given([before])
      .when(replace(corrected, named))
      .then([replaced([corrected, named])]);
  });
  it('removes what is missing', () =>
    given([before])
      .when(replace(irish))
      .then([replaced([], [world])]));
  it('takes one again that was removed', () =>
    given([before, replaced([], [world])])
      .when(replace(irish, world))
      .then([replaced([world])]));
  it('refuses two of the same event, kind, category, region and day', () =>
    given([])
      .when(replace(world, irish, { ...world, value: 400 }))
      .thenRefused('invalid-request', 'references[2]'));
  it.each([
    ['eventId', { eventId: 'a b' }],
    ['region', { region: 'ie' }],
    ['region', { region: 'ZZ' }],
    ['value', { value: 0 }],
    ['value', { value: 1.5 }],
    ['since', { since: '2023-02-29' }],
    ['holderId', { holderId: 0 }],
  ])('checks %s: %j', (field, wrong) =>
    given([])
      .when(replace(irish, { ...world, ...wrong }))
      .thenRefused('invalid-request', `references[1].${field}`),
  );
  it(`takes at most ${MAX_REFERENCES}`, () =>
    given([])
      .when(replace(...Array.from({ length: MAX_REFERENCES + 1 }, () => world)))
      .thenRefused('invalid-request', 'references'));
});
