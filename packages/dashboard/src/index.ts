import { fileURLToPath } from 'node:url';
import { PAGES } from './routes.js';

/** The built dashboard, for the server that serves it. */
export interface DashboardFiles {
  /** The folder with `index.html` and `assets`. */
  readonly folder: string;
  /** The paths that `index.html` answers; `:id` stands for one part of a path. */
  readonly pages: readonly string[];
}

/** Where the build puts the pages, and their paths. The folder does not exist before the build. */
export const dashboardFiles: DashboardFiles = {
  folder: fileURLToPath(new URL('../dist/pages', import.meta.url)),
  pages: PAGES,
};
