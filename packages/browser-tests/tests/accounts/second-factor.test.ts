import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { testSecrets } from '../../../adapter-memory/src/testing/secrets.js';
import { type Scene, journeys, openScene } from '../scene.js';

const PASSWORD = 'a long sentence of hers';
const [WITH, WITHOUT] = ['ada@example.com', 'bob@example.com'];

journeys('the second factor', () => {
  let scene: Scene;
  let page: Page;
  let codes: readonly string[];
  beforeAll(async () => {
    const { oneTimePasswords } = testSecrets();
    scene = await openScene({}, { adapters: { oneTimePasswords } });
    for (const email of [WITH, WITHOUT])
      await scene.server.ask('newUser', { email, password: PASSWORD });
    ({ page } = await scene.browser.reader(scene.server.url));
  });
  afterAll(() => scene.close());

  const field = () => page.getByLabel('Code of your authenticator app');
  async function signIn(email: string): Promise<void> {
    await page.getByRole('textbox', { name: 'E-mail address' }).fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }
  async function enter(code: string): Promise<void> {
    await field().fill(code);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }

  it('is turned on with the code of the app, and gives recovery codes', async () => {
    await page.goto('/sign-in?to=/account');
    await signIn(WITH);
    const form = page.getByRole('form', { name: 'Second factor' });
    await form.getByLabel('Password').fill(PASSWORD);
    await form.getByRole('button', { name: 'Begin' }).click();
    const secret = await form.locator('code').textContent();
    const step = Math.floor(scene.server.clock.now() / 30_000);
    await form.getByLabel('Code of the app').fill(` ${secret}:${step} `);
    await form.getByRole('button', { name: 'Turn it on' }).click();
    await page.getByText('Keep these recovery codes').waitFor();
    codes = (await page.locator('pre').innerText()).split('\n');
    expect(codes).toHaveLength(10);
    await page.getByRole('button', { name: 'Sign out' }).click();
  });

  it('is asked for in the field that has the focus, and nothing is called a failure', async () => {
    await page.goto('/sign-in?to=/account');
    await signIn(WITH);
    await field().and(page.locator(':focus')).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('that is wrong is not called a wrong password: a new one would end every token', async () => {
    await page.goto('/sign-in?to=/account');
    await signIn(WITH);
    await enter('000000');
    await page.getByText(/each works once/).waitFor();
    expect(await page.getByText(/do not belong together/).count()).toBe(0);
  });

  it('is asked for again only where it is on', async () => {
    await signIn(WITHOUT);
    await page.getByText(WITHOUT).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
  });

  it('takes recovery codes on a phone too, whose keys of numbers have no letters', async () => {
    await page.goto('/sign-in?to=/account');
    await signIn(WITH);
    await field().waitFor();
    expect(codes[0]).toMatch(/[a-z]/);
    expect(await field().getAttribute('inputmode')).not.toBe('numeric');
  });

  it('that is lost is replaced by a recovery code, and turned off with another one', async () => {
    await page.goto('/sign-in?to=/account');
    await signIn(WITH);
    await enter(codes[0] ?? '');
    const form = page.getByRole('form', { name: 'Second factor' });
    await form.getByText('on', { exact: true }).waitFor();
    await form.getByLabel('Password').fill(PASSWORD);
    expect(await form.getByLabel('Code of the app').getAttribute('inputmode')).toBe('text');
    await form.getByLabel('Code of the app').fill(codes[1] ?? '');
    await form.getByRole('button', { name: 'Turn it off' }).click();
    await form.getByText('off', { exact: true }).waitFor();
  });
});
