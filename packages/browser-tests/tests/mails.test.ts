import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type ComposedServer, composedServer } from '../../server/tests/helpers/composed-server.js';
import { type Reader, type TestBrowser, openBrowser } from '../src/browser.js';
import { journeys } from './scene.js';

const EMAIL = 'ada@example.com';
const [FIRST, SECOND] = ['a long sentence of hers', 'another sentence of hers'];

journeys('an account whose mails are read', () => {
  /** The texts of all mails, the newest last. */
  const mails: string[] = [];
  const mailer = { send: async ({ text }: { readonly text: string }) => void mails.push(text) };
  let server: ComposedServer;
  let browser: TestBrowser;
  let reader: Reader;
  let page: Page;
  beforeAll(async () => {
    [server, browser] = await Promise.all([
      composedServer({ environment: { CONFIRM_EMAIL: 'required' }, adapters: { mailer } }),
      openBrowser(),
    ]);
    reader = await browser.reader(server.url);
    page = reader.page;
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
  });

  /** The link of the newest mail. */
  async function mailedLink(path: string): Promise<string> {
    await server.application.background.sendMails();
    const link = mails
      .at(-1)
      ?.split('\n')
      .find((line) => line.startsWith(server.url + path));
    if (link === undefined) throw new Error(`no link to ${path} in the newest mail`);
    return link;
  }

  async function signIn(password: string): Promise<void> {
    await page.getByRole('textbox', { name: 'E-mail address' }).fill(EMAIL);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }

  it('is made, and asks for the link of the mail', async () => {
    await page.goto('/sign-up');
    await page.getByRole('textbox', { name: 'E-mail address' }).fill(EMAIL);
    await page.getByLabel('Password').fill(FIRST);
    await page.getByRole('button', { name: 'Make the account' }).click();
    await page.getByText(/A mail with a link is on its way/).waitFor();
    expect(await reader.audit()).toEqual([]);
  });

  it('confirms nothing when it is only opened, as mail programs do', async () => {
    const link = await mailedLink('/confirm#code=');
    const asked: string[] = [];
    const stranger = await browser.reader(server.url);
    stranger.page.on('request', (request) => asked.push(request.url()));
    await stranger.page.goto(link);
    await stranger.page.getByRole('button', { name: 'Confirm' }).waitFor();
    expect(stranger.page.url()).toBe(`${server.url}/confirm`);
    const code = link.split('#code=')[1] ?? '';
    expect(asked.filter((url) => url.includes(code))).toEqual([]);
    await stranger.context.close();
    await page.goto('/account');
    await page.getByText('not confirmed').waitFor();
    await page.getByText(/^No mails but links reach you until your address is confirmed/).waitFor();
  });

  it('is confirmed by the button behind the link, and stays signed in', async () => {
    const tab = await reader.context.newPage();
    await tab.goto(await mailedLink('/confirm#code='));
    await tab.getByRole('button', { name: 'Sign out' }).waitFor();
    await tab.getByRole('button', { name: 'Confirm' }).press('Enter');
    await tab.getByRole('link', { name: 'Go on' }).click();
    await tab.goto('/account');
    await tab.getByText(EMAIL).waitFor();
    await tab.getByText('confirmed', { exact: true }).waitFor();
    await tab.close();
    await page.reload();
    await page.getByText('confirmed', { exact: true }).waitFor();
  });

  it('gets a new password by the link of a mail, which ends the sign-in', async () => {
    await page.goto('/reset-password');
    await page.getByLabel('E-mail address').fill(EMAIL);
    await page.getByRole('button', { name: 'Send me a link' }).click();
    await page.getByText(/valid for an hour/).waitFor();
    await page.goto('/');
    await page.goto(await mailedLink('/reset-password#code='));
    await page.getByLabel('New password').fill(SECOND);
    expect(page.url()).toBe(`${server.url}/reset-password`);
    expect(await reader.audit()).toEqual([]);
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.getByText(/Every sign-in and every token has ended/).waitFor();
    await page.goto('/account');
    await page
      .getByText(/Sign in/)
      .first()
      .waitFor();
  });

  it('says in words that the old password is wrong, and takes the new one', async () => {
    await page.goto('/sign-in?to=/account');
    await signIn(FIRST);
    await page.getByText(/do not belong together/).waitFor();
    await signIn(SECOND);
    await page.getByText(EMAIL).waitFor();
    await server.application.background.sendMails();
    expect(mails.at(-1)).toContain(`${server.url}/account`);
    // The browser itself reports refused requests.
    expect(reader.problems.filter((problem) => !problem.includes('401'))).toEqual([]);
  });
});
