import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { type Plugin, defineConfig } from 'vite';

/** Writes `.br` and `.gz` beside each asset, so that the server need not compress. */
const precompressed = (folder: string): Plugin => ({
  name: 'precompressed',
  apply: 'build',
  closeBundle() {
    for (const name of readdirSync(folder)) {
      if (!/\.(js|css|svg)$/.test(name)) continue;
      const file = join(folder, name);
      const bytes = readFileSync(file);
      writeFileSync(`${file}.br`, brotliCompressSync(bytes));
      // In smaller blocks, each with a code of its own.
      writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9, memLevel: 7 }));
    }
  },
});

/** What every page needs, in one file: small files compress worse, and each is a request of its own. */
const CORE = new RegExp(
  [
    String.raw`node_modules/(?:\.pnpm/)?(?:preact|@preact)`,
    'packages/(?:client|wire)/',
    'preload-helper',
    'dashboard/src/(?:session|service/(?!action|kept-focus)|app|main|routes|figures/(?:format|names))',
    'dashboard/src/parts/common/(?:shell|panel|shown|table|basis|signed(?!-in)|later|meanings|form)',
  ].join('|'),
);

/** What pages need where the reader acts, in one file for the same reason. */
const ACTS =
  /figures\/(?:basis-words|changed|decimal-text|typed-decimal|whole-table)|common\/(?:confirmed|decimal-field|download|edits|figure|more)|service\/(?:action|kept-focus)|owner\/text-field/;

export default defineConfig({
  root: import.meta.dirname,
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: 'dist/pages',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    // Everything comes from own files: the policy of the pages allows no data: addresses.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // The first page names all other files: each character of a hash that compression cannot shorten comes some forty times.
        chunkFileNames: 'assets/[name]-[hash:6].js',
        codeSplitting: {
          groups: [
            { name: 'core', test: CORE },
            { name: 'acts', test: ACTS },
          ],
        },
      },
    },
  },
  plugins: [precompressed(join(import.meta.dirname, 'dist/pages/assets'))],
});
