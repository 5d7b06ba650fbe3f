import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { fixedClock } from '@slipstream/adapter-memory/testing';
import { type Listening, alpacaStandIn, listen } from '@slipstream/stand-ins';
import {
  type ComposedServer,
  IN_SESSION,
  OPERATOR_TOKEN,
  composedServer,
} from '../helpers/composed-server.js';
import { ROOT } from '../helpers/repository.js';
import { runCommand } from '../helpers/run-command.js';

const PAGE = readFileSync(join(ROOT, 'docs/paper-bot.md'), 'utf8');
const LINES = [...PAGE.matchAll(/```sh\n([^]*?)```/g)].flatMap(([, block = '']) =>
  block.trim().split('\n'),
);

/** What the reader fills in for the names in angle brackets: what was given or printed before. */
const known = new Map([
  ['operator_token', OPERATOR_TOKEN],
  ['key_id', 'PKTESTKEY00000000001'],
  ['secret_key', 'secret-of-the-paper-account'],
]);
const PRINTED: readonly (readonly [command: string, name: string, form: RegExp])[] = [
  ['sign-in', 'token', /SLIPSTREAM_TOKEN=(\S+)/],
  ['strategies new', 'strategy_id', /^Made .*: (\S+)$/m],
  ['bots new', 'bot_id', /^BOT\s+(\S+)/m],
];

const filledIn = (line: string): string =>
  line.replace(/<(\w+)>/g, (_, name: string) => {
    const value = known.get(name);
    if (value === undefined) throw new Error(`the page does not say where <${name}> comes from`);
    return value;
  });

/** As a shell reads the line. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/(?:"([^"]*)"|'([^']*)'|(\S+))/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  );

const clock = fixedClock(IN_SESSION);
const standIn = alpacaStandIn({ now: clock.now });
let listening: Listening;
let server: ComposedServer;
let environment: Record<string, string>;

beforeAll(async () => {
  standIn.addAsset({ symbol: 'AAPL', bid: '199.9', ask: '200.1' });
  const [keyId = '', secretKey = ''] = [known.get('key_id'), known.get('secret_key')];
  standIn.addAccount({ number: 'PA3TEST00001', keyId, secretKey, cash: '10000' });
  listening = await listen(standIn.venue);
});
afterAll(async () => {
  await server.close();
  await listening.close();
});

const settingsOf = (line: string): [string, string][] =>
  wordsOf(filledIn(line))
    .slice(1)
    .map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]);

/** Some checks of the bot later; the reader would wait. */
async function wait(): Promise<void> {
  for (let check = 0; check < 4; check += 1) {
    clock.advance(5_000);
    await server.quotes({ 'AAPL:NASDAQ': [199.9, 200.1] });
    await server.application.background.runBots();
  }
}

it('leads from nothing to a paper bot, command by command', async () => {
  let shown = '';
  for (const line of LINES) {
    if (line.startsWith('# shows: ')) {
      expect(shown).toContain(line.slice('# shows: '.length));
    } else if (line.startsWith('export ')) {
      environment = { ...environment, ...Object.fromEntries(settingsOf(line)) };
    } else if (line === 'main.js serve') {
      server = await composedServer({
        clock,
        environment: { ...environment, ALPACA_PAPER_URL: listening.url },
      });
      environment = { SLIPSTREAM_URL: server.url, SLIPSTREAM_PASSWORD: 'a long password' };
    } else {
      const [program, ...words] = wordsOf(filledIn(line));
      expect(program).toBe('main.js');
      const { out, complaints, code } = await runCommand(words, environment);
      expect([line, complaints, code]).toEqual([line, '', 0]);
      shown = out;
      for (const [command, name, form] of PRINTED) {
        const found = line.includes(command) ? form.exec(out)?.[1] : undefined;
        if (found !== undefined) known.set(name, found);
      }
      if (/bots (start|stop)/.test(line)) await wait();
    }
  }
  expect(LINES.length).toBeGreaterThan(15);
  expect(standIn.log.length).toBeGreaterThan(10);
});
