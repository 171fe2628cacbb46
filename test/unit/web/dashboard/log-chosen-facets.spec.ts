/** The facets that the user adds, in the address, and the fields that are proposed. */
import { expect, it } from '@jest/globals';
import { fieldsIn, parseFacets, withFacets } from '../../../../web/src/dashboard/areas/logs/chosen-facets.js';

it('stand in the address beside the query, each once and in their order', () => {
  const address = withFacets('endpoint=logs.all&lql=a', ['request.path', 'client']);
  expect(address).toBe('endpoint=logs.all&lql=a&facet=request.path&facet=client');
  expect(parseFacets(`${address}&facet=client`)).toEqual({
    query: 'endpoint=logs.all&lql=a',
    facets: ['request.path', 'client'],
  });
});

it('are proposed from the fields that the entries have, those with a single value', () => {
  const entries = [
    { metadata: { b: 1, deep: { 'a-c': 'x', list: [1], none: null, 'not a name': 2 } } },
    { metadata: { deep: { later: true } } },
    { metadata: 'text' },
  ];
  expect(fieldsIn(entries)).toEqual(['b', 'deep.a-c', 'deep.later']);
});
