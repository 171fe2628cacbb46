/** What can be said of a MongoDB URL without loading the driver, which nobody should wait for who does not use it. */

/** `mongodb://user:secret@host/db` as `mongodb://host/db`, for people to read. */
export const withoutCredentials = (url: string): string =>
  url.replace(/^(mongodb(?:\+srv)?:\/\/)[^/?]*@/, '$1').replace(/\?.*$/s, '');

export const isMongoUrl = (url: string): boolean => /^mongodb(\+srv)?:\/\//.test(url);
