import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { brokenWords } from '../src/broken-words.js';
import { AAPL, MSFT, type Scene, allRead, journeys, openScene } from './scene.js';

const KB = 1024;

journeys('the budgets', () => {
  let scene: Scene;
  let botId: string;
  beforeAll(async () => {
    scene = await openScene();
    const { server, owner, strategyId } = scene;
    const allocations = [{ strategy_id: strategyId, percent: '1' }];
    const bot = { type: 'stock', broker: 'simulated', allocations };
    ({ bot_id: botId } = await server.ask('newBot', bot, owner));
    await server.ask('startBot', { bot_id: botId }, owner);
    await server.application.background.runBots();
    // What is long in narrow tables.
    const order = { strategy_id: strategyId, stock_id: AAPL, amount: '0.0000723346' };
    await server.ask('newOrder', { ...order, action: 'buy' }, owner);
    await server.ask('newOrder', { ...order, action: 'sell' }, owner);
    await server.quotes({ [AAPL]: 194.137, [MSFT]: 419.919 });
    await server.ask('newToken', { name: `Charts ${'n'.repeat(40)}`, scope: ['newOrder'] }, owner);
    const companies = { type: 'stock', name: 'Three large companies', price: 500, private: false };
    await server.ask('newStrategy', companies, owner);
  });
  afterAll(() => scene.close());

  /** What a fresh reader loads for a page, in bytes by kind as gzip sends them; brotli needs fewer. */
  async function loaded(path: string, ready: string) {
    const { page } = await scene.browser.reader(scene.server.url);
    const files = new Set<string>();
    page.on('response', (response) => files.add(response.url()));
    await page.goto(path);
    await page.getByText(ready).first().waitFor();
    await allRead(page);
    const sizes = { js: 0, css: 0 };
    for (const file of files) {
      const kind = new URL(file).pathname.split('.').at(-1);
      if (kind !== 'js' && kind !== 'css') continue;
      const { headers } = await fetch(file, { headers: { 'accept-encoding': 'gzip' } });
      expect(headers.get('content-encoding')).toBe('gzip');
      sizes[kind] += Number(headers.get('content-length'));
    }
    return sizes;
  }

  it('let the first page have 25 KB of scripts and 6 KB of styles', async () => {
    const { js, css } = await loaded('/', 'Two giants');
    expect(js).toBeGreaterThan(5 * KB);
    expect(js).toBeLessThanOrEqual(25 * KB);
    expect(css).toBeLessThanOrEqual(6 * KB);
  });

  it('let the page of a strategy have 60 KB with its styles', async () => {
    const { js, css } = await loaded(`/strategies/${scene.strategyId}`, 'Statistics');
    expect(js + css).toBeLessThanOrEqual(60 * KB);
  });

  const PAGES = [
    ...['/', '/strategies/:id', '/my-strategies', '/new-strategy', '/bots', '/bots/:bot'],
    ...['/new-bot', '/inbox', '/account'],
  ];
  // A dark page is the same but for its colours, and these are the same on a phone.
  const WIDTHS = [
    ['light and dark', 1440, 'all'],
    ['light', 390, 'but colours'],
  ] as const;

  it.each(WIDTHS)(
    'let no page break a rule of accessibility or a word, or scroll sideways: %s, %d wide',
    async (looks, width, rules) => {
      const { page, problems, audit } = await scene.browser.reader(scene.server.url, {
        colorScheme: 'light',
        viewport: { width, height: 844 },
      });
      await page.goto(`/#token=${scene.owner}`);
      for (const path of PAGES) {
        await page.goto(path.replace(':id', scene.strategyId).replace(':bot', botId));
        await page.getByRole('heading', { level: 1 }).waitFor();
        await allRead(page);
        const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        const found = { overflow, audit: await audit(rules), broken: await brokenWords(page) };
        expect({ path, ...found }).toEqual({ path, overflow: 0, audit: [], broken: [] });
        // What ends a token is in sight without scrolling its table.
        if (path === '/account') {
          const box = await page
            .getByRole('button', { name: 'End', exact: true })
            .first()
            .boundingBox();
          expect((box?.x ?? width) + (box?.width ?? 0)).toBeLessThan(width - 20);
        }
        if (looks === 'light') continue;
        await page.emulateMedia({ colorScheme: 'dark' });
        expect([path, await audit('colours')]).toEqual([path, []]);
        await page.emulateMedia({ colorScheme: 'light' });
      }
      expect(problems).toEqual([]);
    },
  );
});
