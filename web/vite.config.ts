/**
 * Builds the pages twice: for browsers, with hashed files split by page, and for the server, which renders the same
 * components to HTML. The server's build has all its dependencies, so a Podium server needs no other package for it.
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

/** Each flag is one image, so that a page loads only the few that it shows. */
const copyFlags = (): Plugin => ({
  name: 'copy-flags',
  apply: 'build',
  async writeBundle({ dir }) {
    if (dir) await cp(flags, join(dir, 'static', 'flags'), { recursive: true });
  },
});

/** Also writes scripts and styles compressed, with the best compression. The server sends the form that a browser accepts. */
const compressAssets = (): Plugin => ({
  name: 'compress-assets',
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

/** Ignores directives of React Server Components in libraries: this build does not use them. */
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
        // The content security policy forbids inline assets.
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        rollupOptions: { onwarn, input: ['src/client.tsx', 'src/dashboard/client.tsx'] },
      },
  ssr: { noExternal: true },
  // Otherwise React chooses at run time, and its default is the slow development build.
  define: { 'process.env.NODE_ENV': JSON.stringify('production') },
  plugins: isSsrBuild ? [] : [copyFlags(), compressAssets()],
}));
