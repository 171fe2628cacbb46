/** A region in a query: a country or a continent, in any case. */
import { ApiQuery } from '@nestjs/swagger';
import { CONTINENTS, parseRegion } from '../../domain/regions.js';

export const regionRule = {
  name: 'region',
  allowed: 'a country code (ISO 3166-1 alpha-2) or one of XF, XA, XE, XO, XN, XS',
  read: (text: string): string | undefined => parseRegion(text)?.code,
};

const continents = Object.entries(CONTINENTS).map(([code, name]) => `${code} ${name}`);

/** Documents the query `region`. */
export const regionQuery = ApiQuery({
  name: 'region',
  required: false,
  description: `Country (ISO 3166-1 alpha-2) or continent (${continents.join(', ')}); the world when left out`,
});
