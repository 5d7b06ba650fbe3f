import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { RequestFailed } from '@slipstream/client';
import { operations } from '@slipstream/wire';
import { noticeText } from '../src/parts/owner/notices-in-place.js';
import { sentenceOf } from '../src/service/failures.js';

const PACKAGES = fileURLToPath(new URL('../..', import.meta.url));

/** Only programs and operators read these. */
const FOR_PROGRAMS = [
  /next_cursor of getUserExport/,
  /^replaced by new/,
  /newStockAction|updateStocks|newQuotes/,
];

const NAMES = new RegExp(String.raw`\b(${Object.keys(operations).join('|')})\b`);

/** What the core tells people: its sentences, without the comments. */
function sentences(name: string): readonly string[] {
  const sources = join(PACKAGES, name, 'src');
  return (
    readdirSync(sources, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .flatMap((file) => readFileSync(join(sources, file), 'utf8').split('\n'))
      .filter((line) => !/^\s*(\*|\/[/*])/.test(line))
      .flatMap((line) => [...line.matchAll(/'([^'\n]* [^'\n]*)'|`([^`\n]* [^`\n]*)`/g)])
      .map(([, quoted, template]) => quoted ?? template ?? '')
      // Between two literals there is code.
      .filter((text) => !text.includes('&&'))
  );
}

describe('a refusal, as the pages show it', () => {
  const shown = (message: string) =>
    sentenceOf(new RequestFailed(400, 'invalid_field', `Request failed. ${message}.`, null));

  it.each([
    [
      'add a payout account first (newPaymentSource with direction out)',
      'Add a payout account first.',
    ],
    [
      'the charge was declined (card_declined); wait',
      'The charge was declined (card_declined); wait.',
    ],
    ['a limit order requires price', 'A limit order requires price.'],
    // Whoever names a strategy may write brackets, or one of them.
    ...['Foo (myStrategy)', 'Buys (eToro, iPhone)', 'Open (longOnly', 'Foo (constructor)'].map(
      (name) => [
        `the charge for ${name}, month 1 was declined (card_declined); pay at once (retryInvoice)`,
        `The charge for ${name}, month 1 was declined (card_declined); pay at once.`,
      ],
    ),
  ])('has no name of an operation: %s', (message, sentence) => {
    expect(shown(message)).toBe(sentence);
  });

  it('has words for a bot without a name, and for what it is told in the inbox', () => {
    const bot_id = '01a22ce3-16b0-7161-bd09-1382abbcd18f';
    const texts = [
      `Bot ${bot_id}: Started.`,
      `Bot Savings: The credentials cannot be read any more: give them again (updateBot).`,
    ];
    expect(texts.map((text) => noticeText({ text, bot_id }))).toEqual([
      'Your bot: Started.',
      'Bot Savings: The credentials cannot be read any more: give them again.',
    ]);
    const open = 'Bot Foo (x: The credentials cannot be read any more: give them again';
    expect(noticeText({ text: `${open} (updateBot).`, bot_id })).toBe(`${open}.`);
    expect(noticeText({ text: 'You paid 15.00 USD.', bot_id: null })).toBe('You paid 15.00 USD.');
  });

  it.each(['domain', 'application', 'adapter-broker-alpaca', 'adapter-broker-simulated'])(
    'says in words what to do; the names of operations are in brackets: %s',
    (name) => {
      const told = sentences(name).filter((one) => NAMES.test(one));
      const bare = told.filter(
        (one) => NAMES.test(shown(one)) && !FOR_PROGRAMS.some((known) => known.test(one)),
      );
      expect(told.length).toBeGreaterThan(0);
      expect(bare).toEqual([]);
    },
  );
});
