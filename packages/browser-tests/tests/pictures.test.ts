import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openRecordScene } from './record-scene.js';
import { type Scene, allRead, journeys } from './scene.js';

const ROOT = join(import.meta.dirname, '../../..');
const FOLDER = join(ROOT, 'docs/pictures');
/** The most bytes of a picture. */
const MOST = 80 * 1024;

const PICTURES = [
  { name: 'strategies', path: () => '/', width: 1280, height: 800 },
  { name: 'strategy', path: (id: string) => `/strategies/${id}`, width: 1280, height: 1180 },
  { name: 'phone', path: (id: string) => `/strategies/${id}`, width: 390, height: 844 },
] as const;

/** With `PICTURES=on` the pictures of the README are written anew; without, they are only made. */
journeys('the pictures of the README', () => {
  let scene: Scene & { readonly follower: string };
  beforeAll(async () => {
    scene = await openRecordScene();
    if (process.env['PICTURES'] === 'on') mkdirSync(FOLDER, { recursive: true });
  });
  afterAll(() => scene.close());

  it.each(
    PICTURES.flatMap((picture) => (['light', 'dark'] as const).map((look) => ({ picture, look }))),
  )('are small and there: $picture.name, $look', async ({ picture, look }) => {
    const { name, path, width, height } = picture;
    const { page, context } = await scene.browser.reader(scene.server.url, {
      colorScheme: look,
      viewport: { width, height },
    });
    await page.goto(`${path(scene.strategyId)}#token=${scene.follower}`);
    if (name === 'strategies') {
      await page.getByRole('link', { name: 'Quiet value' }).waitFor();
    } else {
      await page.getByRole('button', { name: 'Year', exact: true }).click();
      await page.getByRole('img', { name: /Deepest fall/ }).waitFor();
      await page.getByRole('group', { name: 'Positions' }).getByText('AAPL').waitFor();
    }
    await page.getByText('Live', { exact: true }).waitFor();
    await allRead(page);
    const devtools = await context.newCDPSession(page);
    const { data } = (await devtools.send('Page.captureScreenshot', {
      format: 'webp',
      quality: 70,
    })) as { readonly data: string };
    const bytes = Buffer.from(data, 'base64');
    expect(bytes.length).toBeLessThanOrEqual(MOST);
    const file = join(FOLDER, `${name}-${look}.webp`);
    if (process.env['PICTURES'] === 'on') writeFileSync(file, bytes);
    expect(existsSync(file)).toBe(true);
    expect(readFileSync(join(ROOT, 'README.md'), 'utf8')).toContain(`${name}-${look}.webp`);
  });
});
