import type { Locator, Page } from 'playwright-core';

/** More elements than any page has. */
const MOST = 250;

/** Presses Tab until the element has the focus, as readers without a mouse do. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  const focused = target.and(page.locator(':focus'));
  for (let pressed = 0; pressed < MOST; pressed += 1) {
    if ((await focused.count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the keyboard does not reach ${String(target)}`);
}

/** Goes to the element and presses a key there. */
export async function pressAt(page: Page, target: Locator, key: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

/** What a press on a name shows. */
const MEANING = 'main :is(dd, p[role=status]).quiet';

/** The names of columns and figures of the present page that a key shows no meaning of. */
export async function undefinedNames(page: Page): Promise<readonly string[]> {
  const names = page.locator('main :is(dt, thead th, tbody th)');
  const found: string[] = [];
  for (const name of await names.all()) {
    const button = name.locator('button.what');
    const text = await name.evaluate(
      (node) => (node as unknown as { innerText: string }).innerText,
    );
    // Links, what is there for readers of the screen alone, and the months, whose meaning their year has.
    const isName = (await name.locator('.hidden, a').count()) === 0;
    if (!isName || !(await name.isVisible())) continue;
    if (/^[A-Z][a-z]{2}$/.test(text) && (await name.locator('xpath=../th').count()) > 12) continue;
    if ((await button.count()) === 0) {
      found.push(text);
      continue;
    }
    const meaning = page.locator(MEANING).filter({ hasText: /\w{3}.*\./ });
    await button.press('Enter');
    await meaning.waitFor();
    await button.press('Enter');
    await meaning.waitFor({ state: 'detached' });
  }
  return found;
}
