/**
 * Maps country names as organisers type them to ISO 3166-1 alpha-2 codes. It knows the names of the region list, the
 * English names of the platform's locale data, and common variants.
 */
import { COUNTRIES_BY_CODE } from '../../../domain/regions.js';

const EVERYDAY_NAMES: Readonly<Record<string, string>> = {
  korea: 'KR',
  'republic of korea': 'KR',
  'korea, republic of': 'KR',
  'hong kong': 'HK',
  'hong kong, china': 'HK',
  macau: 'MO',
  macao: 'MO',
  'macau, china': 'MO',
  'chinese taipei': 'TW',
  'mainland china': 'CN',
  "people's republic of china": 'CN',
  usa: 'US',
  'united states of america': 'US',
  uk: 'GB',
  england: 'GB',
  scotland: 'GB',
  wales: 'GB',
  'great britain': 'GB',
  'czech republic': 'CZ',
  holland: 'NL',
  'the netherlands': 'NL',
  turkey: 'TR',
  'viet nam': 'VN',
  'russian federation': 'RU',
  'ivory coast': 'CI',
  "cote d'ivoire": 'CI',
  macedonia: 'MK',
  burma: 'MM',
  'cape verde': 'CV',
  swaziland: 'SZ',
  'iran, islamic republic of': 'IR',
};

const plain = (name: string): string =>
  name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('’', "'")
    .replaceAll('&', 'and')
    .replaceAll(/\b[Ss]t\.? /g, 'saint ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase();

/** Names in lower case without accents, and the codes themselves. */
const CODES: ReadonlyMap<string, string> = (() => {
  const english = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
  const codes = new Map<string, string>();
  for (const { code, name } of COUNTRIES_BY_CODE.values()) {
    for (const known of [code, name, english.of(code) ?? name]) codes.set(plain(known), code);
  }
  for (const [name, code] of Object.entries(EVERYDAY_NAMES)) codes.set(name, code);
  return codes;
})();

/** Returns the code for a country's name or code, or null when the country is unknown. */
export const countryCode = (text: string): string | null => CODES.get(plain(text)) ?? null;
