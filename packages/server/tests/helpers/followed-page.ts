import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import type { ComposedServer } from './composed-server.js';
import { ROOT } from './repository.js';
import { runCommand } from './run-command.js';

/** A page of docs that a reader follows, command by command. */
export interface FollowedPage {
  /** In docs. */
  readonly file: string;
  /** What the reader has before, by the names in angle brackets. */
  readonly known: Readonly<Record<string, string>>;
  /** Which commands print what the page names later. */
  readonly printed: readonly (readonly [command: string, name: string, form: RegExp])[];
  /** What `main.js serve` or `npm start` starts, with the exported settings. */
  serve(environment: Readonly<Record<string, string>>): Promise<ComposedServer>;
  /** What the reader has in the environment once the server runs. */
  readonly environment?: Readonly<Record<string, string>>;
  /** What the reader does elsewhere after a command, by the text that it printed; answers what the page names later. */
  readonly after?: (
    line: string,
    shown: string,
    server: ComposedServer,
  ) => Promise<Readonly<Record<string, string>>>;
  /** Some time later, after each start and stop of a bot, and after an alert. */
  wait(server: ComposedServer): Promise<void>;
}

/** As a shell reads the line. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/(?:"([^"]*)"|'([^']*)'|(\S+))/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  );

const commandsOf = (file: string): string[] =>
  [...readFileSync(join(ROOT, 'docs', file), 'utf8').matchAll(/```sh\n([^]*?)```/g)].flatMap(
    ([, block = '']) => block.trim().split('\n'),
  );

/** Runs every command of the page. A line `# shows:` names what the command before it prints, `# refused:` why that one fails. */
export async function follow(page: FollowedPage): Promise<{ readonly commands: number }> {
  const printed = new Map<string, string>();
  const filledIn = (line: string): string =>
    line.replace(/<(\w+)>/g, (_, name: string) => {
      const value = printed.get(name) ?? page.known[name];
      if (value === undefined) throw new Error(`the page does not say where <${name}> comes from`);
      return value;
    });
  const settingsOf = (line: string): [string, string][] =>
    wordsOf(filledIn(line))
      .slice(1)
      .map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]);
  const lines = commandsOf(page.file);
  let environment: Record<string, string> = {};
  let shown = '';
  let server: ComposedServer | undefined;
  try {
    for (const [index, line] of lines.entries()) {
      if (line.startsWith('# shows: ')) {
        expect(shown).toContain(line.slice('# shows: '.length));
      } else if (line.startsWith('# refused: ')) {
        continue;
      } else if (line.startsWith('export ')) {
        environment = { ...environment, ...Object.fromEntries(settingsOf(line)) };
      } else if (line === 'main.js serve' || line === 'npm start') {
        server = await page.serve(environment);
        environment = {
          SLIPSTREAM_URL: server.url,
          SLIPSTREAM_PASSWORD: 'a long password',
          ...page.environment,
        };
      } else {
        const [program, ...words] = wordsOf(filledIn(line));
        expect(program).toBe('main.js');
        const [, refusal] = /^# refused: (.*)$/.exec(lines[index + 1] ?? '') ?? [];
        const { out, complaints, code } = await runCommand(words, environment);
        const told = refusal === undefined ? '' : expect.stringContaining(refusal);
        expect([line, complaints, code]).toEqual([line, told, refusal === undefined ? 0 : 1]);
        shown = out;
        for (const [command, name, form] of page.printed) {
          const found = line.includes(command) ? form.exec(out)?.[1] : undefined;
          if (found !== undefined) printed.set(name, found);
        }
        const seen = server && (await page.after?.(line, out, server));
        for (const [name, value] of Object.entries(seen ?? {})) printed.set(name, value);
        if (server && /bots (start|stop)|^main.js alert /.test(line)) await page.wait(server);
      }
    }
  } finally {
    await server?.close();
  }
  return { commands: lines.filter((line) => line.startsWith('main.js ')).length };
}
