/** Where the build of the pages is (`npx vite build web`), and what of it a page loads. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const BUILD = new URL('../../web/dist/', import.meta.url);

/** Where the scripts of a page begin: the public pages, or the dashboard and its sign-in. */
export type WebEntry = 'pages' | 'dashboard';

const SOURCES: Readonly<Record<WebEntry, string>> = {
  pages: 'src/client.tsx',
  dashboard: 'src/dashboard/client.tsx',
};

/** What the head of every page names. Paths from the root of the site. */
export interface PageAssets {
  readonly script: string;
  readonly styles: readonly string[];
}

interface ManifestEntry {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

export const clientFolder = fileURLToPath(new URL('client/', BUILD));
export const serverEntry = new URL('server/server.js', BUILD).href;

/** Null where the pages were not built: the server then has its API alone. */
export const readPageAssets = (entry: WebEntry = 'pages'): PageAssets | null => {
  const manifest = new URL('client/.vite/manifest.json', BUILD);
  if (!existsSync(manifest)) return null;
  const files: Record<string, ManifestEntry> = JSON.parse(readFileSync(manifest, 'utf8'));
  const first = files[SOURCES[entry]];
  if (!first) return null;
  return { script: `/${first.file}`, styles: [...stylesOf(first, files)].map((file) => `/${file}`) };
};

/** Those of shared parts first: the page's own come after what they change. */
const stylesOf = (
  { imports = [], css = [] }: ManifestEntry,
  files: Readonly<Record<string, ManifestEntry>>,
): ReadonlySet<string> => {
  const shared = imports.flatMap((name) => {
    const part = files[name];
    return part ? [...stylesOf(part, files)] : [];
  });
  return new Set([...shared, ...css]);
};
