/** Rules of a password: long enough against guessing, short enough to hash, any characters. */

export const MIN_PASSWORD_LENGTH = 10;
export const MAX_PASSWORD_LENGTH = 256;

export const isPassword = (text: string): boolean => {
  const { length } = [...text];
  return length >= MIN_PASSWORD_LENGTH && length <= MAX_PASSWORD_LENGTH;
};
