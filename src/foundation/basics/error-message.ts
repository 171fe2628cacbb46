/** The message of a thrown value, which may be anything: for people to read. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
