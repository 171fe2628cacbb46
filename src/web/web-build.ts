/** Where the build of the pages is (`npx vite build web`), and what of it a page loads. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const BUILD = new URL('../../web/dist/', import.meta.url);

/** What the head of every page names. Paths from the root of the site. */
export interface PageAssets {
  readonly script: string;
  readonly styles: readonly string[];
}

interface ManifestEntry {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly css?: readonly string[];
}

export const clientFolder = fileURLToPath(new URL('client/', BUILD));
export const serverEntry = new URL('server/server.js', BUILD).href;

/** Null where the pages were not built: the server then has its API alone. */
export const readPageAssets = (): PageAssets | null => {
  const manifest = new URL('client/.vite/manifest.json', BUILD);
  if (!existsSync(manifest)) return null;
  const entries: Record<string, ManifestEntry> = JSON.parse(readFileSync(manifest, 'utf8'));
  const entry = Object.values(entries).find(({ isEntry }) => isEntry);
  return entry ? { script: `/${entry.file}`, styles: (entry.css ?? []).map((file) => `/${file}`) } : null;
};
