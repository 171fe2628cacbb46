/**
 * Countries and continents, and the region that a result has. Countries are those of ISO 3166-1 alpha-2; the
 * continent of each is the one the World Cube Association gives it (Armenia, Azerbaijan, Cyprus, Georgia, Israel,
 * Russia and Turkey are in Europe, Kazakhstan in Asia). Territories that the association does not list stand where
 * the United Nations' M49 puts them, and Antarctica, which has no continent of the six, with Oceania.
 */

export const CONTINENTS = {
  XF: 'Africa',
  XA: 'Asia',
  XE: 'Europe',
  XO: 'Oceania',
  XN: 'North America',
  XS: 'South America',
} as const;
export type ContinentCode = keyof typeof CONTINENTS;

/** Every country's English short name, by continent. */
const COUNTRIES: Readonly<Record<ContinentCode, Readonly<Record<string, string>>>> = {
  XF: {
    AO: 'Angola',
    BF: 'Burkina Faso',
    BI: 'Burundi',
    BJ: 'Benin',
    BW: 'Botswana',
    CD: 'DR Congo',
    CF: 'Central African Republic',
    CG: 'Congo',
    CI: "Côte d'Ivoire",
    CM: 'Cameroon',
    CV: 'Cabo Verde',
    DJ: 'Djibouti',
    DZ: 'Algeria',
    EG: 'Egypt',
    EH: 'Western Sahara',
    ER: 'Eritrea',
    ET: 'Ethiopia',
    GA: 'Gabon',
    GH: 'Ghana',
    GM: 'Gambia',
    GN: 'Guinea',
    GQ: 'Equatorial Guinea',
    GW: 'Guinea-Bissau',
    IO: 'British Indian Ocean Territory',
    KE: 'Kenya',
    KM: 'Comoros',
    LR: 'Liberia',
    LS: 'Lesotho',
    LY: 'Libya',
    MA: 'Morocco',
    MG: 'Madagascar',
    ML: 'Mali',
    MR: 'Mauritania',
    MU: 'Mauritius',
    MW: 'Malawi',
    MZ: 'Mozambique',
    NA: 'Namibia',
    NE: 'Niger',
    NG: 'Nigeria',
    RE: 'Réunion',
    RW: 'Rwanda',
    SC: 'Seychelles',
    SD: 'Sudan',
    SH: 'Saint Helena, Ascension and Tristan da Cunha',
    SL: 'Sierra Leone',
    SN: 'Senegal',
    SO: 'Somalia',
    SS: 'South Sudan',
    ST: 'Sao Tome and Principe',
    SZ: 'Eswatini',
    TD: 'Chad',
    TF: 'French Southern Territories',
    TG: 'Togo',
    TN: 'Tunisia',
    TZ: 'Tanzania',
    UG: 'Uganda',
    YT: 'Mayotte',
    ZA: 'South Africa',
    ZM: 'Zambia',
    ZW: 'Zimbabwe',
  },
  XA: {
    AE: 'United Arab Emirates',
    AF: 'Afghanistan',
    BD: 'Bangladesh',
    BH: 'Bahrain',
    BN: 'Brunei',
    BT: 'Bhutan',
    CN: 'China',
    HK: 'Hong Kong',
    ID: 'Indonesia',
    IN: 'India',
    IQ: 'Iraq',
    IR: 'Iran',
    JO: 'Jordan',
    JP: 'Japan',
    KG: 'Kyrgyzstan',
    KH: 'Cambodia',
    KP: 'North Korea',
    KR: 'South Korea',
    KW: 'Kuwait',
    KZ: 'Kazakhstan',
    LA: 'Laos',
    LB: 'Lebanon',
    LK: 'Sri Lanka',
    MM: 'Myanmar',
    MN: 'Mongolia',
    MO: 'Macau',
    MV: 'Maldives',
    MY: 'Malaysia',
    NP: 'Nepal',
    OM: 'Oman',
    PH: 'Philippines',
    PK: 'Pakistan',
    PS: 'Palestine',
    QA: 'Qatar',
    SA: 'Saudi Arabia',
    SG: 'Singapore',
    SY: 'Syria',
    TH: 'Thailand',
    TJ: 'Tajikistan',
    TL: 'Timor-Leste',
    TM: 'Turkmenistan',
    TW: 'Taiwan',
    UZ: 'Uzbekistan',
    VN: 'Vietnam',
    YE: 'Yemen',
  },
  XE: {
    AD: 'Andorra',
    AL: 'Albania',
    AM: 'Armenia',
    AT: 'Austria',
    AX: 'Åland Islands',
    AZ: 'Azerbaijan',
    BA: 'Bosnia and Herzegovina',
    BE: 'Belgium',
    BG: 'Bulgaria',
    BY: 'Belarus',
    CH: 'Switzerland',
    CY: 'Cyprus',
    CZ: 'Czechia',
    DE: 'Germany',
    DK: 'Denmark',
    EE: 'Estonia',
    ES: 'Spain',
    FI: 'Finland',
    FO: 'Faroe Islands',
    FR: 'France',
    GB: 'United Kingdom',
    GE: 'Georgia',
    GG: 'Guernsey',
    GI: 'Gibraltar',
    GR: 'Greece',
    HR: 'Croatia',
    HU: 'Hungary',
    IE: 'Ireland',
    IL: 'Israel',
    IM: 'Isle of Man',
    IS: 'Iceland',
    IT: 'Italy',
    JE: 'Jersey',
    LI: 'Liechtenstein',
    LT: 'Lithuania',
    LU: 'Luxembourg',
    LV: 'Latvia',
    MC: 'Monaco',
    MD: 'Moldova',
    ME: 'Montenegro',
    MK: 'North Macedonia',
    MT: 'Malta',
    NL: 'Netherlands',
    NO: 'Norway',
    PL: 'Poland',
    PT: 'Portugal',
    RO: 'Romania',
    RS: 'Serbia',
    RU: 'Russia',
    SE: 'Sweden',
    SI: 'Slovenia',
    SJ: 'Svalbard and Jan Mayen',
    SK: 'Slovakia',
    SM: 'San Marino',
    TR: 'Türkiye',
    UA: 'Ukraine',
    VA: 'Vatican City',
  },
  XO: {
    AQ: 'Antarctica',
    AS: 'American Samoa',
    AU: 'Australia',
    CC: 'Cocos (Keeling) Islands',
    CK: 'Cook Islands',
    CX: 'Christmas Island',
    FJ: 'Fiji',
    FM: 'Micronesia',
    GU: 'Guam',
    HM: 'Heard Island and McDonald Islands',
    KI: 'Kiribati',
    MH: 'Marshall Islands',
    MP: 'Northern Mariana Islands',
    NC: 'New Caledonia',
    NF: 'Norfolk Island',
    NR: 'Nauru',
    NU: 'Niue',
    NZ: 'New Zealand',
    PF: 'French Polynesia',
    PG: 'Papua New Guinea',
    PN: 'Pitcairn',
    PW: 'Palau',
    SB: 'Solomon Islands',
    TK: 'Tokelau',
    TO: 'Tonga',
    TV: 'Tuvalu',
    UM: 'United States Minor Outlying Islands',
    VU: 'Vanuatu',
    WF: 'Wallis and Futuna',
    WS: 'Samoa',
  },
  XN: {
    AG: 'Antigua and Barbuda',
    AI: 'Anguilla',
    AW: 'Aruba',
    BB: 'Barbados',
    BL: 'Saint Barthélemy',
    BM: 'Bermuda',
    BQ: 'Bonaire, Sint Eustatius and Saba',
    BS: 'Bahamas',
    BZ: 'Belize',
    CA: 'Canada',
    CR: 'Costa Rica',
    CU: 'Cuba',
    CW: 'Curaçao',
    DM: 'Dominica',
    DO: 'Dominican Republic',
    GD: 'Grenada',
    GL: 'Greenland',
    GP: 'Guadeloupe',
    GT: 'Guatemala',
    HN: 'Honduras',
    HT: 'Haiti',
    JM: 'Jamaica',
    KN: 'Saint Kitts and Nevis',
    KY: 'Cayman Islands',
    LC: 'Saint Lucia',
    MF: 'Saint Martin',
    MQ: 'Martinique',
    MS: 'Montserrat',
    MX: 'Mexico',
    NI: 'Nicaragua',
    PA: 'Panama',
    PM: 'Saint Pierre and Miquelon',
    PR: 'Puerto Rico',
    SV: 'El Salvador',
    SX: 'Sint Maarten',
    TC: 'Turks and Caicos Islands',
    TT: 'Trinidad and Tobago',
    US: 'United States',
    VC: 'Saint Vincent and the Grenadines',
    VG: 'British Virgin Islands',
    VI: 'United States Virgin Islands',
  },
  XS: {
    AR: 'Argentina',
    BO: 'Bolivia',
    BR: 'Brazil',
    BV: 'Bouvet Island',
    CL: 'Chile',
    CO: 'Colombia',
    EC: 'Ecuador',
    FK: 'Falkland Islands',
    GF: 'French Guiana',
    GS: 'South Georgia and the South Sandwich Islands',
    GY: 'Guyana',
    PE: 'Peru',
    PY: 'Paraguay',
    SR: 'Suriname',
    UY: 'Uruguay',
    VE: 'Venezuela',
  },
};

export interface Country {
  /** ISO 3166-1 alpha-2 */
  readonly code: string;
  readonly name: string;
  readonly continent: ContinentCode;
}

const isContinentCode = (code: string): code is ContinentCode => Object.hasOwn(CONTINENTS, code);

const countries = new Map<string, Country>();
for (const continent of Object.keys(CONTINENTS).filter(isContinentCode)) {
  for (const [code, name] of Object.entries(COUNTRIES[continent]))
    countries.set(code, { code, name, continent });
}

/** Every country by its code. */
export const COUNTRIES_BY_CODE: ReadonlyMap<string, Country> = countries;

/** Whether this is a country's code, in upper case. */
export const isCountry = (code: string): boolean => countries.has(code);

/** The continent of a country; null where the code is no country's. */
export const continentOf = (countryCode: string): ContinentCode | null =>
  countries.get(countryCode)?.continent ?? null;

/** Name of a country or continent; null where the code is neither. */
export const regionName = (code: string): string | null =>
  isContinentCode(code) ? CONTINENTS[code] : (countries.get(code)?.name ?? null);

export interface Region {
  readonly kind: 'country' | 'continent';
  /** In upper case. */
  readonly code: string;
}

/** Parses the code of a country or continent, in any case; null when it is neither. */
export const parseRegion = (text: string): Region | null => {
  // Checks for ASCII letters first: toUpperCase turns other letters, such as a dotless i, into ASCII ones.
  if (!/^[A-Za-z]{2}$/.test(text)) return null;
  const code = text.toUpperCase();
  if (isContinentCode(code)) return { kind: 'continent', code };
  return isCountry(code) ? { kind: 'country', code } : null;
};

/**
 * Returns the region of a result from those of its persons on its date: their shared country, else the code of
 * their shared continent, else null. An unknown country of one person gives null.
 */
export const regionOf = (regionCodes: readonly (string | null)[]): string | null => {
  const [first] = regionCodes;
  if (first === undefined || first === null) return null;
  if (regionCodes.every((code) => code === first)) return first;
  const continent = continentOf(first);
  const shared = regionCodes.every((code) => code !== null && continentOf(code) === continent);
  return shared ? continent : null;
};

/**
 * The region from this date on. `from` null: always; `regionCode` null: not known. Timelines ascend by `from`.
 */
export interface DatedRegion {
  /** YYYY-MM-DD */
  readonly from: string | null;
  readonly regionCode: string | null;
}

const startsBy = (period: DatedRegion, date: string): boolean => period.from === null || period.from <= date;

/** Returns the region on a date; null when the timeline begins later or has no region then. */
export const regionOn = (timeline: readonly DatedRegion[], date: string): string | null =>
  timeline.findLast((period) => startsBy(period, date))?.regionCode ?? null;

/** Today's region: the last of the timeline. */
export const latestRegion = (timeline: readonly DatedRegion[]): string | null =>
  timeline.at(-1)?.regionCode ?? null;

/**
 * Returns the timeline after a move on `from`. A period that began the same day is replaced. Later periods
 * stay, so moves can be recorded in any order.
 */
export const movedTimeline = (
  timeline: readonly DatedRegion[],
  from: string,
  regionCode: string | null,
): readonly DatedRegion[] => [
  ...timeline.filter((period) => period.from === null || period.from < from),
  { from, regionCode },
  ...timeline.filter((period) => period.from !== null && period.from > from),
];
