/** What a failure says of itself: anything can be thrown, and of most of it only the message is for people. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
