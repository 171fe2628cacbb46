/** Types of complete-lock.mjs for its test. */
interface LockEntry {
  readonly version?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export interface LockFile {
  readonly packages: Readonly<Record<string, LockEntry>>;
}

export function missingFrom(lock: LockFile): readonly {
  readonly name: string;
  readonly version: string;
  readonly dev: boolean;
}[];

export function completed(lock: LockFile): LockFile;
