import { instruments } from '@slipstream/adapter-market';
import { SCOPES, operations } from '@slipstream/wire';
import { type Command, InvalidArgumentError } from 'commander';
import { readSettings } from '../settings.js';
import { backUp, requireDatabase, withApplication } from './database.js';
import { complain, print, progress } from './output.js';
import type { Environment } from './remote.js';
import { readStocksFile } from './stocks-file.js';

const INIT = ['--init', 'make the database when there is none', false] as const;

/** The settings of a command that works on a database which is there, or is to be made. */
function settingsFor(environment: Environment, { init }: { readonly init: boolean }) {
  const settings = readSettings(environment);
  requireDatabase(settings, init);
  return settings;
}

const JSON_HELP = 'as JSON, for programs';
/** Instruments that are imported in one transaction. */
const BATCH = 500;

interface TokenOptions {
  readonly email: string;
  readonly scope: string[];
  readonly name: string;
  readonly create: boolean;
  readonly init: boolean;
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
export function maintaining(program: Command, environment: Environment): void {
  program
    .command('migrate')
    .description('bring the database up to date')
    .option(...INIT)
    .action((options: { init: boolean }) =>
      withApplication(settingsFor(environment, options), async () =>
        print('The database is up to date.'),
      ),
    );

  program
    .command('token')
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
      withApplication(settingsFor(environment, options), async (application) => {
        const { email, scope, name, create, json } = options;
        const { token, text } = await application.issueToken({
          email,
          scope,
          name,
          createUser: create,
        });
        if (json)
          return print(JSON.stringify({ token_id: token.id, user_id: token.userId, token: text }));
        complain('This token is shown once:');
        print(text);
      }),
    );

  program
    .command('import-stocks')
    .description('add the instruments of a CSV file, or those that come with the server')
    .argument('[file]', 'columns symbol,stock,name,sector,security,exchange,peg,figi_composite')
    .option(...INIT)
    .option('--json', JSON_HELP)
    .action((file: string | undefined, options: { init: boolean; json?: true }) =>
      withApplication(settingsFor(environment, options), async (application) => {
        const stocks = file === undefined ? instruments() : await readStocksFile(file);
        let added = 0;
        for (let first = 0; first < stocks.length; first += BATCH) {
          added += await application.importStocks(stocks.slice(first, first + BATCH));
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
      if (process.stderr.isTTY) complain('Copying the database …');
      await backUp(readSettings(environment), file, { force });
      if (json) print(JSON.stringify({ file }));
      else print(`The database was copied to ${file}.`);
    });
}
