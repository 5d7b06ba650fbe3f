import { fileURLToPath } from 'node:url';

/** Where the build puts the site, for the server that serves it at `/guide`. The folder does not exist before the build. */
export const guideFolder: string = fileURLToPath(new URL('../dist/pages', import.meta.url));
