/** Recognises a MongoDB URL without loading the driver, which takes time and is only loaded where it is used. */
export const isMongoUrl = (url: string): boolean => /^mongodb(\+srv)?:\/\//.test(url);
