/** Why a file or folder cannot be used, in the words of the operating system and without the path: `no such file or directory`. */
import { getSystemErrorMap } from 'node:util';
import { messageOf } from './error-message.js';

export const fileProblem = (error: unknown): string => {
  const errno = typeof error === 'object' && error !== null && 'errno' in error ? Number(error.errno) : 0;
  return getSystemErrorMap().get(errno)?.[1] ?? messageOf(error);
};
