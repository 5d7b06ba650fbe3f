import { Refusal } from '@slipstream/domain';
import { operations } from '@slipstream/wire';
import type { Command } from 'commander';
import { type Field, fieldsIn, fieldsOf, requestOf } from '../fields.js';
import { table } from '../output.js';
import { type Environment, type Remote, remote } from '../remote.js';
import { botColumns } from './bot-columns.js';
import { CREDENTIALS_HELP, credentialsFrom, credentialsOption } from './bot-credentials.js';

const NOT_SETTINGS = ['bot_id', 'limits', 'allocations', 'credentials'];
const settings = (): readonly Field[] =>
  fieldsOf(operations.updateBot).filter(({ name }) => !NOT_SETTINGS.includes(name));
const limits = (): readonly Field[] => fieldsIn(operations.updateBot, 'limits');

/** Lists what `key=value` may name. */
export const settingsHelp = (): string =>
  `\nSettings, as key=value:\n${table(settings(), {
    '  NAME': ({ name }) => `  ${name}`,
    MEANING: ({ description }) => description || null,
  })}\n\nLimits, as key=value; none turns one off: ${limits()
    .map(({ name }) => name)
    .join(', ')}.`;

/** `mode=paused max_daily_loss=0.05 max_order=none` as fields of a request. */
export function settingsFrom(words: readonly string[]): Readonly<Record<string, unknown>> {
  const named = (word: string): string => word.split('=', 1)[0]?.replace(/:$/, '') ?? '';
  const names = new Set(limits().map(({ name }) => name));
  const known = new Set([...names, ...settings().map(({ name }) => name)]);
  for (const word of words) {
    if (known.has(named(word))) continue;
    throw new Refusal(
      'invalid_field',
      `"${named(word).slice(0, 50)}" is no setting of a bot; --help lists them`,
    );
  }
  const given = words.filter((word) => names.has(named(word)));
  const changed = given.map((word): [string, unknown] => {
    const value = word.slice(word.indexOf('=') + 1);
    return [named(word), value === 'none' ? null : value];
  });
  const [twice] = given.map(named).filter((name, at, all) => all.indexOf(name) < at);
  if (twice !== undefined) throw new Refusal('invalid_field', `${twice} was given twice`);
  const others = words.filter((word) => !names.has(named(word)));
  return {
    ...requestOf(operations.updateBot, others),
    ...(changed.length > 0 && { limits: Object.fromEntries(changed) }),
  };
}

async function preview(
  { client, json, show, showOne, showAll }: Remote,
  bot_id: string,
  words: readonly string[],
): Promise<void> {
  const found = await client.previewBot({ bot_id, ...settingsFrom(words) });
  if (json) return show(found);
  showOne(found.account, {
    ACCOUNT: ({ label }) => label,
    MONEY: ({ live }) => (live ? 'real' : 'not real'),
    EQUITY: ({ equity }) => equity,
    CASH: ({ cash }) => cash,
  });
  const stock = (row: { readonly stock_id: string }): string => row.stock_id;
  const keptColumns = { KEPT: stock, AMOUNT: (row: { readonly amount: string }) => row.amount };
  showAll(found.kept, keptColumns, 'Nothing is kept: the account holds nothing of yours.');
  showAll(
    found.orders,
    {
      ORDER: stock,
      ACTION: ({ action }) => action,
      AMOUNT: ({ amount }) => amount,
      LIMIT: ({ limit }) => limit,
      WHY: ({ intent }) => intent,
    },
    'It would send no order now.',
  );
  showAll(found.warnings, { NOTES: (warning) => warning }, 'No warnings.');
}

/** `bots preview` and `bots update`. */
export function addSettings(group: Command, environment: Environment): void {
  const previewing = group
    .command('preview')
    .description('show what a bot would do now, with changed settings; nothing is sent or stored')
    .argument('<bot_id>')
    .argument('[settings...]', 'key=value, see below')
    .addHelpText('after', settingsHelp);
  remote(previewing, environment, preview);

  const update = group
    .command('update')
    .description('change the settings of a bot, or the key of its account')
    .argument('<bot_id>')
    .argument('[settings...]', 'key=value, see below')
    .addOption(credentialsOption())
    .addHelpText('after', CREDENTIALS_HELP)
    .addHelpText('after', settingsHelp);
  remote(
    update,
    environment,
    async (
      { client, showOne },
      bot_id: string,
      words: readonly string[],
      { credentials: given }: { readonly credentials?: string },
    ) => {
      if (words.length === 0 && given === undefined)
        throw new Refusal('invalid_field', 'give a setting as key=value, or --credentials');
      const credentials =
        given === undefined ? undefined : await credentialsFrom(given, environment);
      showOne(await client.updateBot({ bot_id, ...settingsFrom(words), credentials }), botColumns);
    },
  );
}
