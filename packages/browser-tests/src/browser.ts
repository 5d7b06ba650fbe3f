import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
  chromium,
} from 'playwright-core';
import { browserFile } from './browser-file.js';

/** A reader with a window of their own. */
export interface Reader {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What must not happen on any page: errors in the console, violated policies, requests to other origins. */
  readonly problems: readonly string[];
  /** Violations of WCAG 2.2 AA and of best practice on the present page: of all rules, of those about colours, or of the others. */
  audit(rules?: keyof typeof RULES): Promise<readonly string[]>;
}

/** How a reader's window is. */
interface ReaderOptions extends BrowserContextOptions {
  /** Whether pages ask the service again and again, each so many seconds, also where the test has not taken over their clock. */
  readonly asksAgain?: boolean;
}

/** A browser for a file of tests. */
export interface TestBrowser {
  readonly version: string;
  /**
   * Somebody who comes. Their pages ask the service again only with the time that a test lets go by (`page.clock`): what is
   * seen without that was told by a stream, however long a slow machine takes to show it.
   */
  reader(url: string, options?: ReaderOptions): Promise<Reader>;
  close(): Promise<void>;
}

/** Milliseconds within which a busy machine shows what was asked for; a hang takes longer. */
const PATIENCE = 120_000;

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Those of these rules that look at colours. */
const COLOURS = ['color-contrast', 'link-in-text-block'];
const RULES = {
  all: { runOnly: STANDARDS },
  colours: { runOnly: { type: 'rule', values: COLOURS } },
  'but colours': {
    runOnly: STANDARDS,
    rules: Object.fromEntries(COLOURS.map((name) => [name, { enabled: false }])),
  },
} as const;

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** Those that came during the present test. They leave with it: an open page would read and draw whatever the next tests change. */
let visitors: BrowserContext[] | undefined;

/** Begins a test: whoever comes from now on leaves with `closeVisitors`. */
export function welcomeVisitors(): void {
  visitors = [];
}

/** Closes the windows of the readers that came during the test; those of the whole file stay. */
export async function closeVisitors(): Promise<void> {
  const leaving = visitors ?? [];
  visitors = undefined;
  await Promise.all(leaving.map((context) => context.close()));
}

/** Whether there is a browser for journeys here. */
export const hasBrowser = (): boolean => browserFile() !== undefined;

/** Starts the browser. */
export async function openBrowser(): Promise<TestBrowser> {
  const file = browserFile();
  if (!file) throw new Error('there is no browser here');
  const { executablePath, args, env } = file;
  const browser: Browser = await chromium.launch({
    executablePath,
    args: [...args],
    timeout: PATIENCE,
    env: { ...(process.env as Record<string, string>), ...env },
  });
  return {
    version: browser.version(),
    close: () => browser.close(),
    async reader(url, { asksAgain = false, ...options } = {}) {
      const context = await browser.newContext({
        baseURL: url,
        locale: 'en-US',
        timezoneId: 'America/New_York',
        viewport: { width: 1280, height: 900 },
        ...options,
      });
      visitors?.push(context);
      context.setDefaultTimeout(PATIENCE);
      if (!asksAgain) await context.addInitScript('window.setInterval = () => 0;');
      const problems: string[] = [];
      const watch = (page: Page): void => {
        page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
        page.on('console', (message) => {
          if (['error', 'warning'].includes(message.type()))
            problems.push(`console: ${message.text()}`);
        });
        page.on('request', (request) => {
          const asked = new URL(request.url());
          if (asked.host !== new URL(url).host && asked.protocol !== 'blob:')
            problems.push(`request: ${request.url()}`);
        });
      };
      context.on('page', watch);
      const page = await context.newPage();
      return {
        page,
        context,
        problems,
        async audit(rules = 'all') {
          // A page that is not drawn yet has neither a landmark nor a heading.
          await page.locator('main h1').first().waitFor();
          // The head of the page covers what is scrolled below it.
          await page.evaluate('scrollTo(0, 0)');
          if (await page.evaluate('typeof axe === "undefined"')) await page.evaluate(axe);
          const found = await page.evaluate<{ readonly violations: readonly Violation[] }>(
            `axe.run(${JSON.stringify(RULES[rules])})`,
          );
          return found.violations.flatMap(({ id, nodes }) =>
            nodes.map(({ html, failureSummary = '' }) => `${id}: ${html} ${failureSummary}`),
          );
        },
      };
    },
  };
}
