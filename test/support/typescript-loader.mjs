/**
 * Lets a process of its own run test support that is written in TypeScript, as jest does: `node --import` this file. An
 * import that ends in `.js` finds the `.ts` beside it.
 */
import { existsSync, readFileSync } from 'node:fs';
import { register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { transform } from '@swc/core';

const isSource = (url) => url.endsWith('.ts') && !url.includes('/node_modules/');

export const resolve = async (specifier, context, next) => {
  if (specifier.startsWith('.') && specifier.endsWith('.js') && context.parentURL) {
    const source = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
    if (isSource(source.href) && existsSync(source)) return { url: source.href, shortCircuit: true };
  }
  return next(specifier, context);
};

export const load = async (url, context, next) => {
  if (!isSource(url)) return next(url, context);
  const filename = fileURLToPath(url);
  const { code } = await transform(readFileSync(filename, 'utf8'), { filename, sourceMaps: 'inline' });
  return { format: 'module', source: code, shortCircuit: true };
};

// The hooks themselves run this file again, in a thread of their own.
if (isMainThread) register(import.meta.url);
