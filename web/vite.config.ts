/**
 * Builds the pages twice: once for browsers, hashed and split by page, and once for the server, which renders the
 * same components to HTML. Everything that the server's build needs is in it, so that nothing of this is installed
 * where Podium runs.
 */
import { cp, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { defineConfig, type Plugin, type Rolldown } from 'vite';

const flags = join(
  dirname(createRequire(import.meta.url).resolve('flag-icons/package.json')),
  'flags',
  '4x3',
);

/** A flag is an image of its own: a page loads the few that it shows. */
const copyFlags = (): Plugin => ({
  name: 'copy-flags',
  apply: 'build',
  async writeBundle({ dir }) {
    if (dir) await cp(flags, join(dir, 'static', 'flags'), { recursive: true });
  },
});

/** Scripts and styles lie there packed as well, as tightly as can be: the server sends what a browser takes. */
const packAssets = (): Plugin => ({
  name: 'pack-assets',
  apply: 'build',
  async writeBundle({ dir }, bundle) {
    if (!dir) return;
    for (const file of Object.keys(bundle).filter((name) => /\.(js|css)$/.test(name))) {
      const path = join(dir, file);
      const bytes = await readFile(path);
      await writeFile(`${path}.br`, brotliCompressSync(bytes));
      await writeFile(`${path}.gz`, gzipSync(bytes, { level: 9 }));
    }
  },
});

/** Libraries mark modules for servers that render parts of React trees; here that means nothing. */
const onwarn: NonNullable<Rolldown.RolldownOptions['onwarn']> = (warning, warn) => {
  if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning);
};

export default defineConfig(({ isSsrBuild = false }) => ({
  root: import.meta.dirname,
  build: isSsrBuild
    ? {
        outDir: 'dist/server',
        emptyOutDir: true,
        target: 'node20',
        rollupOptions: { onwarn, input: 'src/server.tsx', output: { entryFileNames: 'server.js' } },
      }
    : {
        outDir: 'dist/client',
        emptyOutDir: true,
        manifest: true,
        target: 'baseline-widely-available',
        // What is inlined would need a hole in the content security policy.
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        rollupOptions: { onwarn, input: ['src/client.tsx', 'src/dashboard/client.tsx'] },
      },
  ssr: { noExternal: true },
  // Else the server's build decides at run time, and is React's slow one unless told.
  define: { 'process.env.NODE_ENV': JSON.stringify('production') },
  plugins: isSsrBuild ? [] : [copyFlags(), packAssets()],
}));
