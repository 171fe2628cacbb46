/** Text as unique ids and searches compare it: by its Unicode lower case, which no engine knows in full. */
export const caseFolded = (text: string): string => text.normalize('NFC').toLowerCase();
