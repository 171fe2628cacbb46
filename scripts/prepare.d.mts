/** Types of the pure parts of prepare.mjs for their test. */
export function nodeRefusal(version: string): string | null;

export function installFingerprint(
  lock: string,
  node: { readonly abi: string; readonly platform: string; readonly arch: string },
): string;

export function buildFingerprint(files: readonly (readonly [string, number, number])[]): string;

export function compilerAdvice(machine: {
  readonly platform: string;
  readonly packageManager: string | undefined;
  readonly lacking: readonly string[];
  readonly log: string;
}): string;

export function sqlitePackage(napi: string): 'better-sqlite3' | 'better-sqlite3-napi';
