/** Path of the program; throws an Error that says what is missing. */
export function ferretdbBinary(): Promise<string>;
