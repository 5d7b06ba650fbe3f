import type { Application } from '@slipstream/application';
import { SCOPES, operations } from '@slipstream/wire';
import { type Command, InvalidArgumentError } from 'commander';
import { printError, print, progress } from '../output.js';
import { type WithAdapters, takingAdapters } from './foreign-adapters.js';
import type { Environment } from '../remote.js';
import { readStocksFile } from '../stocks-file.js';

const INIT = ['--init', 'make the database when there is none', false] as const;

interface Init extends WithAdapters {
  readonly init: boolean;
}

/** The server's own part of the program is loaded by the commands that need it: the others start the sooner for it. */
const loaded = () => import('./database.js');

/** Opens the storage of these settings, for the time of `work`. */
async function onDatabase(
  environment: Environment,
  options: Init,
  work: (application: Application) => Promise<void>,
): Promise<void> {
  const { settingsFor, withApplication } = await loaded();
  await withApplication(settingsFor(environment, options), options.with, work);
}

const JSON_HELP = 'as JSON, for programs';
/** Instruments that are imported in one transaction. */
const BATCH = 500;

const REPLACE_KEY_HELP = `
What was sealed with the old key cannot be read again: the credentials of bots, names and addresses of payment sources, mails that were not
sent. Strategies, books, records, users, passwords and tokens stay. Owners of bots give their credentials again by updateBot.`;

interface TokenOptions extends Init {
  readonly email: string;
  readonly scope: string[];
  readonly name: string;
  readonly create: boolean;
  readonly json?: true;
}

const scopes = (text: string): string[] => {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !SCOPES.some((scope) => scope === name));
  if (unknown !== undefined) {
    throw new InvalidArgumentError(`"${unknown}" is no scope; scopes are ${SCOPES.join(', ')}.`);
  }
  return names;
};

/** As sign-up reads it: nobody may be made who could never be written to. */
const address = (text: string): string => {
  const { email } = operations.newUser.request.shape;
  const read = email.safeParse(text);
  if (!read.success) throw new InvalidArgumentError(`"${text}" is no e-mail address.`);
  return read.data;
};

/** The commands that open the database themselves, beside no server. */
export function registerMaintenanceCommands(program: Command, environment: Environment): void {
  takingAdapters(program.command('migrate'))
    .description('bring the database up to date')
    .option(...INIT)
    .action((options: Init) =>
      onDatabase(environment, options, async () => print('The database is up to date.')),
    );

  takingAdapters(program.command('replace-key'))
    .description('go on without the master key, when it is lost for ever')
    .addHelpText('after', REPLACE_KEY_HELP)
    .requiredOption('--old-is-lost', 'that you have read what this costs')
    .action(async (options: WithAdapters) => {
      const { replaceKey, settingsFor } = await loaded();
      await replaceKey(settingsFor(environment, { ...options, init: false }), options.with);
      print('The server starts with the present master key from now on.');
    });

  takingAdapters(program.command('token'))
    .description('make an api token for a user of the database')
    .requiredOption('--email <address>', 'whose token', address)
    .requiredOption(
      '--scope <names>',
      'what it may do: operation names separated by commas, or *',
      scopes,
    )
    .option('--name <name>', 'what it is for', 'command line')
    .option('--create', 'make the user (without a password) when there is none', false)
    .option(...INIT)
    .option('--json', JSON_HELP)
    .action((options: TokenOptions) =>
      onDatabase(environment, options, async (application) => {
        const { email, scope, name, create, json } = options;
        const { token, text } = await application.lifecycle.issueToken({
          email,
          scope,
          name,
          createUser: create,
        });
        if (json)
          return print(JSON.stringify({ token_id: token.id, user_id: token.userId, token: text }));
        printError('This token is shown once:');
        print(text);
      }),
    );

  takingAdapters(program.command('import-stocks'))
    .description('add the instruments of a CSV file, or those that come with the server')
    .argument('[file]', 'columns symbol,stock,name,sector,security,exchange,peg,figi_composite')
    .option(...INIT)
    .option('--json', JSON_HELP)
    .action((file: string | undefined, options: Init & { json?: true }) =>
      onDatabase(environment, options, async (application) => {
        const { instruments } = await import('@slipstream/adapter-market');
        const stocks = file === undefined ? instruments() : await readStocksFile(file);
        let added = 0;
        for (let first = 0; first < stocks.length; first += BATCH) {
          added += await application.lifecycle.importStocks(stocks.slice(first, first + BATCH));
          progress('Imported', Math.min(first + BATCH, stocks.length), stocks.length);
        }
        if (options.json) print(JSON.stringify({ added, given: stocks.length }));
        else print(`${added} of ${stocks.length} instruments added; the others were there.`);
      }),
    );

  program
    .command('backup')
    .description('copy the database of one moment, also beside a running server')
    .argument('<file>', 'where the copy goes')
    .option('--force', 'replace a file that is there', false)
    .option('--json', JSON_HELP)
    .action(async (file: string, { force, json }: { force: boolean; json?: true }) => {
      if (process.stderr.isTTY) printError('Copying the database …');
      const { backUp } = await loaded();
      const { key } = await backUp(environment, file, { force });
      if (json) return print(JSON.stringify({ file, without: [key] }));
      print(`The database was copied to ${file}.`);
      printError(
        `The master key (${key}) is not in it: keep it in another place. Without it the copy's secrets cannot be read; docs/restoring.md says more.`,
      );
    });
}
