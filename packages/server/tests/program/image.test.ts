import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type BuiltImage, takeSteps } from '../helpers/dockerfile.js';

/** It takes minutes and the network: `npm run verify -- --only image`. */
const isWhole = process.env['WHOLE_IMAGE'] === 'on';
/** The user `nobody`, if this process may choose. */
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

(isWhole ? describe : describe.skip)('the image of the server', () => {
  let folder = '';
  let image: BuiltImage;
  const mine = (name: string): string => {
    const path = join(folder, name);
    mkdirSync(path, { recursive: true });
    if (user.uid !== undefined) chownSync(path, user.uid, user.gid);
    return path;
  };
  const environment = () => ({
    ...Object.fromEntries(['PATH', 'LANG'].map((name) => [name, process.env[name] ?? ''])),
    HOME: mine('home'),
  });
  const database = (name: string) => `sqlite:${join(folder, 'volume', name)}`;
  /** A command of the image: what is `/` there is the image's folder, and the data lie in a volume. */
  const inImage = (
    [program = '', ...args]: readonly string[],
    changed: Record<string, string> = {},
  ) => ({
    program,
    args: args.map((word) => (word.startsWith('/') ? join(image.root, word) : word)),
    options: {
      ...user,
      cwd: join(image.root, image.workdir),
      env: {
        ...image.environment,
        PATH: process.env['PATH'] ?? '',
        HOME: '/nowhere',
        DATABASE_URL: database('slipstream.db'),
        HOST: '127.0.0.1',
        PORT: '13987',
        PUBLIC_URL: 'https://trading.example',
        TRUST_PROXY: '1',
        ...changed,
      },
    },
  });
  const run = (words: readonly string[], changed?: Record<string, string>) => {
    const { program, args, options } = inImage(image.entrypoint, changed);
    return spawnSync(program, [...args, ...words], { ...options, encoding: 'utf8' });
  };
  const healthcheck = () => {
    const { program, args, options } = inImage(image.healthcheck);
    return spawnSync(program, args, options).status;
  };

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipstream-image-'));
    chmodSync(folder, 0o755);
    for (const name of ['build', 'image', 'volume']) mine(name);
    image = takeSteps(folder, { ...user, env: environment() });
    spawnSync('chmod', ['-R', 'a-w', image.root]);
    spawnSync('chown', ['-R', 'root:root', image.root]);
  }, 1_200_000);
  afterAll(() => {
    spawnSync('chmod', ['-R', 'u+w', folder]);
    rmSync(folder, { recursive: true, force: true });
  });

  it('has what the server needs to run, and nothing that only builds or tests', () => {
    const packages = readdirSync(join(image.root, 'app/node_modules/.pnpm'));
    const named = (form: RegExp) => packages.filter((name) => form.test(name));
    expect(
      named(/^(typescript|jest|vite|esbuild|playwright|chromium|@sparticuz|eslint|ccxt)/),
    ).toEqual([]);
    expect(named(/simulation|stand-ins|port-contracts|bench|browser-tests/)).toEqual([]);
    expect(named(/^@slipstream\+domain@/)).toHaveLength(1);
    const { stdout } = spawnSync('du', ['-sm', image.root], { encoding: 'utf8' });
    expect(Number.parseInt(stdout, 10)).toBeLessThan(150);
  });

  it('serves, is healthy, shows the dashboard, and is copied and restored, without writing beside its data', async () => {
    const { program, args, options } = inImage([...image.entrypoint, ...image.command]);
    const server = spawn(program, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
    const ended = once(server, 'exit');
    let complaints = '';
    try {
      const url = await new Promise<string>((resolve, reject) => {
        server.stderr.on('data', (data: Buffer) => {
          complaints += data.toString('utf8');
          const [, found] = /Listening on (\S+)/.exec(complaints) ?? [];
          if (found !== undefined) resolve(found);
        });
        server.once('exit', () => reject(new Error(complaints)));
      });
      expect(healthcheck()).toBe(0);
      expect(await (await fetch(url)).text()).toContain('<script');
      const document = (await (await fetch(`${url}/openapi.json`)).json()) as { servers: unknown };
      expect(document.servers).toEqual([
        expect.objectContaining({ url: 'https://trading.example' }),
      ]);
      expect(run(['backup', join(folder, 'volume/copy.db')])).toMatchObject({ status: 0 });
    } finally {
      server.kill();
    }
    await ended;
    expect(healthcheck()).toBe(1);
    const [copy, key] = ['copy.db', 'secret.key'].map((name) => join(folder, 'volume', name));
    const again = { DATABASE_URL: database('again/slipstream.db') };
    expect(run(['restore', `${copy}`, '--key', `${key}`], again)).toMatchObject({ status: 0 });
    expect(run(['audit', '--verify'], again)).toMatchObject({ status: 0 });
  });
});
