import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { freshFolders, serveIn, signUp } from '../helpers/child-server.js';
import { ask, attempt } from '../helpers/composed-server.js';

const newFolder = freshFolders();

describe('a server whose database is moved away', () => {
  it('ends, says so in its log, and answers nothing as done', async () => {
    const folder = newFolder();
    const server = await serveIn(folder);
    const token = await signUp((name, fields, by) => ask(server.url, name, fields, by));
    const file = join(folder, 'data/slipstream.db');
    renameSync(file, `${file}.old`);
    await expect(
      attempt(server.url, 'newStrategy', { type: 'stock', name: 'One' }, token),
    ).rejects.toThrow();
    const { signal, out } = await server.ended;
    expect(signal).toBe('SIGKILL');
    expect(JSON.parse(out.trim().split('\n').at(-1) ?? '')).toMatchObject({
      level: 'error',
      msg: `${file} was moved, replaced or deleted while it was open: this process ends`,
    });
  });
});
