/** What a password may be: long enough to stand guessing, short enough to be hashed; any characters. */

export const SHORTEST_PASSWORD = 10;
export const LONGEST_PASSWORD = 256;

export const isPassword = (text: string): boolean => {
  const { length } = [...text];
  return length >= SHORTEST_PASSWORD && length <= LONGEST_PASSWORD;
};
