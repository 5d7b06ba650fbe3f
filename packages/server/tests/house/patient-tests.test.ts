import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { freePort } from '../helpers/free-port.js';
import { ROOT, scripts } from '../helpers/repository.js';

/** The files of tests, and what they share. */
const files = scripts().filter((file) => /(\.test|[\\/]tests[\\/].*)\.ts$/.test(file));
/** Where the form is, with the figure in it. */
const found = (form: RegExp, among = files) =>
  among.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(form)].map(([text, figure = '']) => ({
      where: `${relative(ROOT, file).replaceAll('\\', '/')}: ${text.trim()}`,
      figure: Number(figure.replaceAll('_', '')),
    })),
  );

describe('the tests', () => {
  it('have no limit of time of their own that is shorter than that of all: a hang shall fail, a slow machine shall not', () => {
    const config = readFileSync(join(ROOT, 'jest.config.ts'), 'utf8');
    const [, general = ''] = /testTimeout: ([\d_]+)/.exec(config) ?? [];
    const limit = Number(general.replaceAll('_', ''));
    expect(limit).toBeGreaterThan(60_000);
    expect(files.length).toBeGreaterThan(500);
    const own = found(/^[ \t]*\},\s*([\d_]{4,}),?\s*\);/gm);
    expect(own.length).toBeGreaterThan(0);
    expect(own.filter(({ figure }) => figure <= limit).map(({ where }) => where)).toEqual([]);
  });

  it('name no port to a program that the system may give to another one before it listens', async () => {
    const ports = [await freePort(), await freePort()];
    for (const port of ports) expect([port, port > 10_080 && port < 32_768]).toEqual([port, true]);
    expect(new Set(ports).size).toBe(ports.length);
  });

  it('of pages wait for what is shown without limits of their own, and with one function until all is read', () => {
    const ofPages = files.filter((file) => /browser-tests[\\/]tests[\\/]/.test(file));
    expect(ofPages.length).toBeGreaterThan(20);
    const own = found(/\btimeout: ([\d_]+)|networkidle/g, ofPages).map(({ where }) => where);
    expect(own).toEqual(['packages/browser-tests/tests/scene.ts: networkidle']);
  });
});
