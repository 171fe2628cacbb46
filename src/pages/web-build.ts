/** The build of the pages (`npx vite build web`), and the files that a page loads from it. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { PageAssets } from './page-head.js';

const BUILD = new URL('../../web/dist/', import.meta.url);

/** The entry script of a page: of the public pages, or of the dashboard and its sign-in. */
export type WebEntry = 'pages' | 'dashboard';

const SOURCES: Readonly<Record<WebEntry, string>> = {
  pages: 'src/client.tsx',
  dashboard: 'src/dashboard/client.tsx',
};

interface ManifestEntry {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

export const clientFolder = fileURLToPath(new URL('client/', BUILD));
export const serverEntry = new URL('server/server.js', BUILD).href;

/** Returns null when the pages were not built: the server then has only its API. */
export const readPageAssets = (entry: WebEntry = 'pages'): PageAssets | null => {
  const manifest = new URL('client/.vite/manifest.json', BUILD);
  if (!existsSync(manifest)) return null;
  const files: Record<string, ManifestEntry> = JSON.parse(readFileSync(manifest, 'utf8'));
  const first = files[SOURCES[entry]];
  if (!first) return null;
  const parts = [...partsOf(SOURCES[entry], files)].flatMap((name) => files[name] ?? []);
  const shared = parts.filter((part) => part !== first);
  return {
    script: `/${first.file}`,
    modules: shared.map(({ file }) => `/${file}`),
    styles: [...new Set(parts.flatMap(({ css = [] }) => css))].map((file) => `/${file}`),
  };
};

/**
 * Returns a file and all files it imports. Imported files come first, because a page's own styles override
 * theirs.
 */
const partsOf = (name: string, files: Readonly<Record<string, ManifestEntry>>): ReadonlySet<string> => {
  const entered = new Set<string>();
  const found = new Set<string>();
  const enter = (part: string): void => {
    if (entered.has(part)) return;
    entered.add(part);
    for (const needed of files[part]?.imports ?? []) enter(needed);
    found.add(part);
  };
  enter(name);
  return found;
};
