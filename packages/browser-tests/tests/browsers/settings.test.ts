import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AAPL, MSFT, type Scene, allRead, journeys, openScene } from '../scene.js';

/** Cookies are blocked: what browsers count as such throws where it is touched. Firefox counts channels between tabs too. */
const FORBIDDEN = `{
  const refuse = () => { throw new DOMException('The operation is insecure.', 'SecurityError'); };
  for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, { get: refuse });
  window.BroadcastChannel = class { constructor() { refuse(); } };
}`;

/** What is stored stays; nothing new has a place. */
const FULL = `Storage.prototype.setItem = () => {
  throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
};`;

/** As translators of browsers work: each text gives way to an element with its translation, also one that comes later. */
const TRANSLATE = `(() => {
  const translated = (node) => {
    const texts = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    const all = [];
    while (texts.nextNode())
      if (/\\S/.test(texts.currentNode.data) && !texts.currentNode.parentElement.closest('[translate=no], font'))
        all.push(texts.currentNode);
    for (const text of all) {
      const translation = document.createElement('font');
      translation.textContent = text.data;
      text.replaceWith(translation);
    }
  };
  translated(document.body);
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes) if (node.isConnected && node.nodeType === 1) translated(node);
  }).observe(document.body, { childList: true, subtree: true });
})()`;

journeys('a browser', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene();
  });
  afterAll(() => scene.close());

  describe('that lets pages keep nothing', () => {
    it.each([
      ['forbids it', FORBIDDEN],
      ['has no room', FULL],
    ])(
      'opens a link signed in, from page to page, without its token in the address: it %s',
      async (_, keepNothing) => {
        const { page, context, problems } = await scene.browser.reader(scene.server.url);
        await context.addInitScript(keepNothing);
        await page.goto(`/#token=${scene.owner}`);
        await page.getByRole('button', { name: 'Sign out' }).waitFor();
        expect(page.url()).toBe(`${scene.server.url}/`);
        await page.getByRole('link', { name: 'Yours' }).click();
        await page.getByRole('link', { name: 'Two giants' }).click();
        await page.getByText('Live', { exact: true }).waitFor();
        await page.getByRole('button', { name: 'Look: system' }).click();
        await page.getByRole('button', { name: 'Look: light' }).waitFor();
        await page.getByRole('button', { name: 'Sign out' }).click();
        await page.getByRole('link', { name: 'Sign in', exact: true }).first().waitFor();
        expect(problems).toEqual([]);
      },
    );

    it('does not open with somebody who was signed in before', async () => {
      const { page, context } = await scene.browser.reader(scene.server.url);
      await page.goto(`/account#token=${await scene.server.user('before')}`);
      await page.getByText('before@example.com').waitFor();
      await context.addInitScript(FULL);
      await page.goto(`/#token=${await scene.server.user('after')}`);
      await page.getByRole('button', { name: 'Sign out' }).waitFor();
      await page.goto('/account');
      await page.getByText('Sign in to see this page').waitFor();
      expect(await page.getByText('before@example.com').count()).toBe(0);
    });
  });

  describe('that translates pages', () => {
    it('leaves figures and states to the service, which go on moving', async () => {
      const { page, problems } = await scene.browser.reader(scene.server.url);
      await page.goto(`/strategies/${scene.strategyId}`);
      await page.getByText('Live', { exact: true }).waitFor();
      await page.evaluate(TRANSLATE);
      await scene.server.quotes({ [AAPL]: 230, [MSFT]: 460 });
      await page.getByTestId('value').getByText('1.11').waitFor();
      await page.getByRole('link', { name: 'Sign in', exact: true }).first().click();
      await page.getByText('Still', { exact: true }).waitFor();
      expect(problems).toEqual([]);
    });
  });

  describe('that draws slowly', () => {
    it('has the heading of each page as its title', async () => {
      const { page, context } = await scene.browser.reader(scene.server.url);
      await context.addInitScript(`{
        const wait = window.setTimeout;
        window.requestAnimationFrame = () => 0;
        window.setTimeout = (task, time, ...given) => wait(task, Math.max(time ?? 0, 1_000), ...given);
      }`);
      await page.goto('/sign-up');
      await page.getByRole('heading', { name: 'Make an account' }).waitFor();
      const hasTitle = (title: string) =>
        (globalThis as unknown as { document: { title: string } }).document.title === title;
      await page.waitForFunction(hasTitle, 'Make an account – Slipstream', {
        polling: 100,
      });
    });
  });

  describe('that lets only a press copy', () => {
    it('copies the text of an alert, which comes after the press', async () => {
      const { page, context } = await scene.browser.reader(scene.server.url);
      await context.addInitScript(`{
        const pressed = (copy) => (given) =>
          window.event?.isTrusted ? copy(given) : Promise.reject(new DOMException('Not now.', 'NotAllowedError'));
        navigator.clipboard.writeText = pressed(async (text) => { window.copied = text; });
        navigator.clipboard.write = pressed(async ([item]) => {
          window.copied = await (await item.getType('text/plain')).text();
        });
      }`);
      await page.goto(`/strategies/${scene.strategyId}#token=${scene.owner}`);
      const form = page.getByRole('form', { name: 'Alert template' });
      await form.getByLabel('Instrument').fill(AAPL);
      await form.getByRole('button', { name: 'Make and copy' }).click();
      await page.getByText('Copied. The token in it is shown only now.').waitFor();
      const text = await page.getByLabel("The alert's text").textContent();
      expect(await page.evaluate('copied')).toBe(text);
    });
  });

  describe('that hides a page for minutes', () => {
    it('has figures of now, read once, as soon as it shows the page again', async () => {
      const { page } = await scene.browser.reader(scene.server.url);
      const asked: string[] = [];
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      await page.clock.install();
      await page.goto('/');
      await page.getByRole('row', { name: /Two giants/ }).waitFor();
      // No picture is drawn of a hidden page.
      await page.evaluate(`{
        const { requestAnimationFrame } = window;
        let last = 0;
        const waiting = new Map();
        window.requestAnimationFrame = (draw) => (waiting.set(last += 1, draw), last);
        window.cancelAnimationFrame = (frame) => waiting.delete(frame);
        Object.defineProperty(document, 'hidden', { get: () => window.isHidden });
        window.isHidden = true;
        window.show = () => {
          window.isHidden = false;
          window.requestAnimationFrame = requestAnimationFrame;
          for (const draw of waiting.values()) draw();
        };
      }`);
      asked.length = 0;
      await page.clock.runFor(600_000);
      expect(asked).toEqual([]);
      await Promise.all([page.waitForResponse(/\/getStrategies/), page.evaluate('show()')]);
      expect(asked.filter((path) => path === '/findStrategies')).toHaveLength(1);
    });
  });

  describe('of a phone', () => {
    it('does not zoom into fields: each has letters of 16 pixels', async () => {
      const { page } = await scene.browser.reader(scene.server.url, {
        viewport: { width: 390, height: 844 },
        hasTouch: true,
        isMobile: true,
      });
      const small = `[...document.querySelectorAll('input:not([type=checkbox], [type=range]), select, textarea')]
        .filter((one) => parseFloat(getComputedStyle(one).fontSize) < 16).map((one) => one.id || one.outerHTML)`;
      await page.goto(`/#token=${scene.owner}`);
      for (const path of ['/', '/account', '/new-bot']) {
        await page.goto(path);
        await page.locator('main input').first().waitFor();
        expect([path, await page.evaluate(small)]).toEqual([path, []]);
      }
    });

    it('has a minus among its keys where a target may be below zero, and leaves symbols as they are typed', async () => {
      const { page } = await scene.browser.reader(scene.server.url);
      // As newer browsers have it, for which each text is true.
      await page.addInitScript(`
        Object.defineProperty(HTMLElement.prototype, 'autocorrect', {
          get() { return this.getAttribute('autocorrect') !== 'off'; },
          set(isOn) { this.setAttribute('autocorrect', isOn ? 'on' : 'off'); },
        });`);
      await page.goto(`/strategies/${scene.strategyId}#token=${scene.owner}`);
      const form = page.getByRole('form', { name: 'Targets' });
      expect(await form.getByLabel('Percent').first().getAttribute('inputmode')).toBe('text');
      const symbol = form.getByLabel('Instrument').first();
      expect(await symbol.getAttribute('autocorrect')).toBe('off');
      expect(await symbol.getAttribute('autocapitalize')).toBe('characters');
    });
  });

  describe('with letters of double size, or a zoom of four', () => {
    const overflow = 'document.documentElement.scrollWidth - innerWidth';

    it('scrolls no page sideways', async () => {
      const { page, context } = await scene.browser.reader(scene.server.url, {
        viewport: { width: 390, height: 844 },
      });
      await context.addInitScript(`addEventListener('DOMContentLoaded', () => {
        document.documentElement.style.fontSize = '32px';
      });`);
      await page.goto(`/#token=${scene.owner}`);
      for (const path of ['/', `/strategies/${scene.strategyId}`, '/new-bot', '/account']) {
        await page.goto(path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await allRead(page);
        expect([path, await page.evaluate(overflow)]).toEqual([path, 0]);
      }
      await page.setViewportSize({ width: 320, height: 225 });
      await page.goto('/docs');
      await page.evaluate('document.documentElement.style.fontSize = ""');
      expect(await page.evaluate(overflow)).toBe(0);
    });
  });

  describe('with colours of its own', () => {
    const colours = (selector: string, kind: 'color' | 'backgroundColor') =>
      `getComputedStyle(document.querySelector('${selector}')).${kind}`;

    it('shows what is chosen apart from what is not', async () => {
      const { page } = await scene.browser.reader(scene.server.url, { forcedColors: 'active' });
      await page.goto(`/strategies/${scene.strategyId}`);
      await page.getByRole('button', { name: '24 h' }).waitFor();
      for (const [chosen, other] of [
        ['[aria-pressed=true]', '[aria-pressed=false]'],
        ['nav [aria-current]', 'nav a:not([aria-current])'],
      ] as const)
        expect(await page.evaluate(colours(chosen, 'backgroundColor'))).not.toBe(
          await page.evaluate(colours(other, 'backgroundColor')),
        );
    });

    it('prints dark letters on white, also of a page that is dark', async () => {
      const { page } = await scene.browser.reader(scene.server.url);
      await page.goto('/sign-in');
      for (const look of ['system', 'light'])
        await page.getByRole('button', { name: `Look: ${look}` }).click();
      const dark = await page.evaluate(colours('body', 'color'));
      await page.emulateMedia({ media: 'print' });
      expect(await page.evaluate(colours('body', 'color'))).toBe('rgb(22, 25, 29)');
      expect(dark).not.toBe('rgb(22, 25, 29)');
    });
  });
});
