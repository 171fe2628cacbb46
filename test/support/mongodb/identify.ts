/** What a server that speaks MongoDB's protocol says it is. */
import { MongoClient } from 'mongodb';

export const identify = async (
  url: string,
): Promise<{ readonly version: string; readonly isReal: boolean }> => {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: 10_000 });
  try {
    const { version, ferretdbVersion, ferretdb } = await client.db().command({ buildInfo: 1 });
    return { version: String(version), isReal: ferretdbVersion === undefined && ferretdb === undefined };
  } finally {
    await client.close();
  }
};
