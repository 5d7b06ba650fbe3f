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
