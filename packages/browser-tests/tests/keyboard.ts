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

interface Name {
  readonly text: string;
  readonly hasButton: boolean;
}

const NAMES = 'main :is(dt, thead th, tbody th)';

/** Each name; null for what is none: links, what is there for readers of the screen alone, and months, whose meaning their year has. */
const READ = `[...document.querySelectorAll('${NAMES}')].map((node) => {
  const { width, height } = node.getBoundingClientRect();
  const isSeen = width > 0 && height > 0 && node.checkVisibility({ visibilityProperty: true });
  const isMonth = /^[A-Z][a-z]{2}$/.test(node.innerText) &&
    [...node.parentElement.children].filter(({ tagName }) => tagName === 'TH').length > 12;
  if (!isSeen || isMonth || node.querySelector('.hidden, a') !== null) return null;
  return { text: node.innerText, hasButton: node.querySelector('button.what') !== null };
})`;

/** The names of columns and figures of the present page that a key shows no meaning of. */
export async function undefinedNames(page: Page): Promise<readonly string[]> {
  const names = await page.evaluate<readonly (Name | null)[]>(READ);
  const meaning = page.locator(MEANING).filter({ hasText: /\w{3}.*\./ });
  const found: string[] = [];
  for (const [place, name] of names.entries()) {
    if (name && !name.hasButton) found.push(name.text);
    if (!name?.hasButton) continue;
    const button = page.locator(NAMES).nth(place).locator('button.what');
    await button.press('Enter');
    await meaning.waitFor();
    await button.press('Enter');
    await meaning.waitFor({ state: 'detached' });
  }
  return found;
}

interface Walk {
  readonly controls: readonly { readonly name: string; readonly box: readonly number[] }[];
  readonly visited: readonly number[];
}

/** Notes every control of the page where a reader sees it, and from then on each that gets the focus. */
const WATCH = `
  document.activeElement.blur();
  scrollTo(0, 0);
  const all = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]')]
    .filter((one) => one.checkVisibility() && !one.disabled && one.tabIndex >= 0);
  window.walk = {
    controls: all.map((one) => {
      const { left, top, right, bottom } = one.getBoundingClientRect();
      const name = one.getAttribute('aria-label') ?? one.innerText;
      return { name: one.tagName + ' ' + name.slice(0, 40), box: [left, top, right, bottom] };
    }),
    visited: [],
  };
  document.addEventListener('focusin', ({ target }) => walk.visited.push(all.indexOf(target)));`;

/** Presses Tab from the beginning of the page to its end; what is not reached, or not in the order in which it is seen. */
export async function tabFaults(page: Page): Promise<readonly string[]> {
  await page.evaluate(`{ ${WATCH} }`);
  const { length: many } = await page.evaluate<unknown[]>('walk.controls');
  // A field of a date has a stop for each of its parts.
  for (let pressed = 0; pressed < many + 12; pressed += 1) await page.keyboard.press('Tab');
  const { controls, visited } = await page.evaluate<Walk>('walk');
  const order = visited.filter((place, index) => visited.indexOf(place) === index);
  return controls.flatMap(({ name, box: [left = 0, , , bottom = 0] }, place) => {
    if (!order.includes(place)) return [`${name} is not reached`];
    if (place === 0) return [];
    const before = controls[place - 1];
    const [, top = 0, right = 0] = before?.box ?? [];
    if (order.indexOf(place) !== order.indexOf(place - 1) + 1)
      return [`${name} does not come after ${before?.name}`];
    // Upwards it goes to the next column alone.
    return bottom <= top && left < right ? [`${name} is above ${before?.name}`] : [];
  });
}
