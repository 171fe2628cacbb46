/** The text in Unicode lower case, as unique ids and searches compare it. No engine folds all of Unicode itself. */
export const caseFolded = (text: string): string => text.normalize('NFC').toLowerCase();
