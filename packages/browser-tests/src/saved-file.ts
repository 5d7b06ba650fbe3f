import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

/** The text of the file that a press on the button saves. */
export async function savedBy(page: Page, button: string): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent('download', { timeout: 45_000 }),
    page.getByRole('button', { name: button, exact: true }).click(),
  ]);
  return readFileSync(await download.path(), 'utf8');
}
