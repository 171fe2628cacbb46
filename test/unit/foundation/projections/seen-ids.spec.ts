import { describe, expect, it } from '@jest/globals';
import { SeenIds } from '../../../../src/foundation/projections/session/seen-ids.js';

describe('seen ids', () => {
  const ids = Array.from({ length: 50_000 }, (_, index) => `main/Contest${index % 700}/333/1 ${index}`);

  it('never takes an id that it has seen for a new one', () => {
    const seen = new SeenIds(ids.length);
    for (const id of ids) seen.add(id);
    expect(ids.every((id) => seen.mayHave(id))).toBe(true);
  });

  it('seldom takes a new id for one that it has seen', () => {
    const seen = new SeenIds(ids.length);
    for (const id of ids) seen.add(id);
    const mistaken = ids.filter((id) => seen.mayHave(`${id}x`)).length;
    expect(mistaken / ids.length).toBeLessThan(0.1);
  });

  it('stays right when there are many more than expected', () => {
    const seen = new SeenIds(0);
    for (const id of ids) seen.add(id);
    expect(ids.every((id) => seen.mayHave(id))).toBe(true);
  });
});
