/** Reads a MongoDB URL without loading the driver, which takes time and is only loaded where it is used. */

/** `mongodb://user:secret@host/db` as `mongodb://host/db`, for messages. */
export const withoutCredentials = (url: string): string =>
  url.replace(/^(mongodb(?:\+srv)?:\/\/)[^/?]*@/, '$1').replace(/\?.*$/s, '');

export const isMongoUrl = (url: string): boolean => /^mongodb(\+srv)?:\/\//.test(url);
