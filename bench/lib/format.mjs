/** Texts that several benches share. */

export const thousands = (value) => Math.round(value).toLocaleString('en');

/** The ranking that is read everywhere: best singles of persons, the default 100. */
export const rankingsPath = ({ eventId }) => `/api/results/rankings/${eventId}/single/all`;
