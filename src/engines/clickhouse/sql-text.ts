/** Names and texts of our own statements; a query tree has a printer of its own. */

/** A name in SQL. */
export const quotedName = (name: string): string =>
  `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``;

/** A text literal. */
export const quotedText = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\0', '\\0')}'`;

/** `(a, b)`, to stand behind IN. Of no texts: a list that nothing is in. */
export const textList = (texts: Iterable<string>): string => {
  const quoted = [...texts].map(quotedText);
  return quoted.length === 0 ? "(SELECT '' WHERE 0)" : `(${quoted.join(', ')})`;
};
