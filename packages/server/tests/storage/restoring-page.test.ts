import { cpSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { composedServer, newFolder } from '../helpers/composed-server.js';
import { ROOT } from '../helpers/repository.js';
import { runCommandIn } from '../helpers/run-command.js';
import { itOne } from '../helpers/three-nodes.js';

/** The commands of a section of the page, without their remarks. */
function commandsUnder(title: string): string[] {
  const [, section = ''] = readFileSync(join(ROOT, 'docs/restoring.md'), 'utf8').split(
    `\n## ${title}\n`,
  );
  const [, block = ''] = /```\n([^]*?)```/.exec(section) ?? [];
  return block
    .trim()
    .split('\n')
    .map((line) => line.replace(/ +#.*$/, ''));
}

itOne('it names the SQLite file')(
  'the page on restoring leads from a copy through its drill to a server with the same data, command by command',
  async () => {
    const folder = newFolder();
    const data = join(folder, 'data');
    mkdirSync(data);
    const open = () => composedServer({ storage: 'sqlite', folder: data });
    const perform = async (line: string) => {
      const [, setting, words = ''] = /^(?:DATABASE_URL=(\S+) )?main\.js (.*)$/.exec(line) ?? [];
      const filledIn = words
        .replace('<the stored secret.key>', 'kept.key')
        .replace('<the stored folder of archives>', 'kept-archives');
      const environment = setting === undefined ? {} : { DATABASE_URL: setting };
      const { out, code } = await runCommandIn(folder, filledIn.split(' '), environment);
      expect([line, code]).toEqual([line, 0]);
      return out;
    };

    const server = await open();
    const ada = await server.user('ada');
    const { strategy_id } = await server.ask('newStrategy', { type: 'stock', name: 'Mine' }, ada);
    cpSync(join(data, 'secret.key'), join(folder, 'kept.key'));
    mkdirSync(join(folder, 'kept-archives'));
    for (const line of commandsUnder('Backing up')) await perform(line);
    const [made = '', checked = ''] = commandsUnder('A drill');
    expect(await perform(made)).toContain('The master key fits');
    expect(await perform(checked)).toContain('is intact');
    await server.shutDown();

    renameSync(data, join(folder, 'old'));
    const [restore = '', verify = '', serve] = commandsUnder('Restoring');
    await perform(restore);
    expect(await perform(verify)).toContain('is intact');
    expect(serve).toBe('main.js serve');
    const again = await open();
    const strategies = await again.ask('getStrategies', { strategy_id: [strategy_id] }, ada);
    expect(strategies).toMatchObject([{ name: 'Mine' }]);
    await again.shutDown();
    rmSync(folder, { recursive: true });
  },
);
