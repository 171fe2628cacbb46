/** A region in a query: a country or a continent, in any case. */
import { parseRegion } from '../../domain/regions.js';

export const regionRule = {
  name: 'region',
  allowed: 'a country code (ISO 3166-1 alpha-2) or one of XF, XA, XE, XO, XN, XS',
  read: (text: string): string | undefined => parseRegion(text)?.code,
};
