import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { fixedClock } from '@slipstream/adapter-memory/testing';
import { guideFolder } from '@slipstream/guide';
import {
  type ComposedServer,
  IN_SESSION,
  OPERATOR_TOKEN,
  composedServer,
} from '../helpers/composed-server.js';
import { follow } from '../helpers/followed-page.js';
import { ROOT } from '../helpers/repository.js';

const folder = mkdtempSync(join(tmpdir(), 'slipstream-guide-'));
afterAll(() => rmSync(folder, { recursive: true }));

const PRINTED = [
  ['sign-in', 'token', /SLIPSTREAM_TOKEN=(\S+)/],
  ['call newStrategy', 'strategy_id', /"strategy_id": "([^"]+)"/],
  ['strategies new', 'strategy_id', /^Made .*: (\S+)$/m],
  ['bots new', 'bot_id', /^BOT\s+(\S+)/m],
  ['halt ', 'halt_id', /([0-9a-f]{8}-\S+)/],
] as const;

/** A message for a charting platform is understood as it was printed, once the platform has filled it in. */
async function messageWorks(
  _: string,
  shown: string,
  server: ComposedServer,
): Promise<Record<string, string>> {
  if (!shown.includes('{{strategy.order.action}}')) return {};
  const body = shown
    .replace('{{strategy.order.action}}', 'buy')
    .replace('{{strategy.market_position}}', 'long')
    .replaceAll(/\{\{strategy\.\w+\}\}/g, '1');
  const { status, text } = await server.call('POST', '/previewOrderWebhook', { body });
  expect([status, text]).toEqual([200, expect.stringContaining('"orders"')]);
  return {};
}

describe('the page', () => {
  it.each([
    ['start.md', 9],
    ['charting-platforms.md', 8],
    ['risk-limits.md', 9],
    ['statistics.md', 9],
    ['operating.md', 6],
    ['api.md', 6],
  ])('%s leads through its commands', async (file, least) => {
    const clock = fixedClock(IN_SESSION);
    const { commands } = await follow({
      file,
      known: { operator_token: OPERATOR_TOKEN, folder },
      printed: PRINTED,
      async serve(environment) {
        const server = await composedServer({ clock, environment });
        await server.quotes({ 'AAPL:NASDAQ': [199.9, 200.1] });
        return server;
      },
      after: messageWorks,
      async wait(server) {
        for (let check = 0; check < 4; check += 1) {
          clock.advance(5_000);
          await server.quotes({ 'AAPL:NASDAQ': [199.9, 200.1] });
          await server.application.background.runBots();
        }
      },
    });
    expect(commands).toBeGreaterThanOrEqual(least);
  });
});

/** Blocks that no test runs as they stand, by their page, and why. */
const NOT_RUN: Readonly<Record<string, string>> = {
  'README.md': 'npm start and npm test themselves',
  'docs/reuse.md': 'run from tarballs by tests/house/tarballs.test.ts',
  'docs/postgresql.md': 'createuser of a PostgreSQL; the rest by tests/storage/postgresql.test.ts',
  'docs/several-nodes.md': 'such servers are started by tests/nodes/several-nodes.test.ts',
  'docs/releasing.md': 'publishes',
  'docs/architecture.md': 'pictures',
  'deploy/README.md': 'needs Docker; each name is checked by tests/house/deploy.test.ts',
};
/** Pages whose blocks are run, and by which test. */
const RUN: Readonly<Record<string, string>> = {
  'docs/agents.md': 'program/agents-page',
  'docs/anchors.md': 'program/anchors-page',
  'docs/connecting.md': 'mirroring/connecting-page',
  'docs/curl.md': 'operations/other-clients',
  'docs/endpoints.md': 'endpoints/endpoints-page',
  'docs/going-live.md': 'mirroring/going-live-page',
  'docs/paper-bot.md': 'mirroring/paper-bot-page',
  'docs/replay.md': 'replay/replay-page',
  'docs/restoring.md': 'storage/restoring-page',
  ...Object.fromEntries(
    ['start', 'charting-platforms', 'risk-limits', 'statistics', 'operating', 'api'].map((name) => [
      `docs/${name}.md`,
      'house/guide-pages',
    ]),
  ),
};

describe('the site', () => {
  const files = readdirSync(guideFolder, { recursive: true, encoding: 'utf8' });
  const pages = files.filter((file) => file.endsWith('.html'));
  const addressOf = (file: string): string =>
    `/guide/${file}`.replace(/\/index\.html$/, '').replaceAll('\\', '/');
  const htmlOf = (file: string): string => readFileSync(join(guideFolder, file), 'utf8');
  const anchors = new Map(
    pages.map((file) => [
      addressOf(file),
      new Set([...htmlOf(file).matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)),
    ]),
  );

  it('has the pages that a newcomer, an operator and a programmer need', () => {
    expect(pages.length).toBeGreaterThan(60);
    for (const name of ['', '/concepts', '/deploying', '/settings', '/reuse', '/packages/domain'])
      expect([...anchors.keys()]).toContain(`/guide${name}`);
  });

  it.each(pages)('%s links to pages, sections and files that exist', (file) => {
    const own = addressOf(file);
    const links = [...htmlOf(file).matchAll(/ (?:href|src|srcset)="([^"]+)"/g)]
      .map(([, link = '']) => link)
      .filter((link) => !/^https?:/.test(link) && !['/', '/docs', '/favicon.svg'].includes(link));
    expect(links.length).toBeGreaterThan(20);
    const lost = links.filter((link) => {
      const [path = '', anchor] = link.split('#');
      const page = anchors.get(path === '' ? own : path);
      if (!page) return !files.includes(path.replace('/guide/', ''));
      return anchor !== undefined && !page.has(decodeURIComponent(anchor));
    });
    expect(lost).toEqual([]);
  });

  it('needs no script or style within a page, and nothing from elsewhere', () => {
    const inline = pages.filter((file) =>
      /<style|<script(?![^>]* src="\/guide\/)| style="| on\w+="|<(?:script|link|img|source)[^>]+https?:/.test(
        htmlOf(file),
      ),
    );
    expect(inline).toEqual([]);
  });

  it('finds every section by a search', () => {
    const sections = JSON.parse(htmlOf('assets/sections.json')) as readonly { url: string }[];
    expect(sections.length).toBeGreaterThan(400);
    const lost = sections.filter(({ url }) => {
      const [path = '', anchor] = url.split('#');
      return !anchors.get(path) || (anchor !== undefined && !anchors.get(path)?.has(anchor));
    });
    expect(lost).toEqual([]);
  });
});

describe('the snippets of the guide', () => {
  const sources = [
    'README.md',
    'deploy/README.md',
    ...readdirSync(join(ROOT, 'docs'))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`),
  ];

  it.each(sources)('of %s are run by a test, or say why not', (file) => {
    const blocks = [...readFileSync(join(ROOT, file), 'utf8').matchAll(/^ *```(\w*)$/gm)];
    if (blocks.length === 0) return;
    const test = RUN[file];
    expect(test ?? NOT_RUN[file]).toBeDefined();
    if (test !== undefined)
      expect(existsSync(join(ROOT, `packages/server/tests/${test}.test.ts`))).toBe(true);
  });

  it('never call the package of another project', () => {
    const all = files().filter((file) => /\bnpx (?:-y |--yes )?slipstream\b/.test(file.text));
    expect(all.map(({ name }) => name)).toEqual([]);
  });

  const files = () =>
    sources.map((name) => ({ name, text: readFileSync(join(ROOT, name), 'utf8') }));
});
