/** Lists in our own statements. */
import { textLiteral } from './sql/clickhouse-sql.js';

/** `(a, b)`, to stand behind IN. Of no texts: a list that nothing is in. */
export const textList = (texts: Iterable<string>): string => {
  const quoted = [...texts].map(textLiteral);
  return quoted.length === 0 ? "(SELECT '' WHERE 0)" : `(${quoted.join(', ')})`;
};
