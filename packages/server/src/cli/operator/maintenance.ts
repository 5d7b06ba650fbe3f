import type { Application } from '@slipstream/application';
import { SCOPES, operations } from '@slipstream/wire';
import { type Command, InvalidArgumentError } from 'commander';
import { printError, print, progress, table } from '../output.js';
import { type WithAdapters, takingAdapters } from './foreign-adapters.js';
import type { Environment } from '../remote.js';
import type { RestoreOptions } from './restore.js';
import { readStocksFile } from '../stocks-file.js';

const INIT = ['--init', 'create the database if there is none', false] as const;

interface Init extends WithAdapters {
  readonly init: boolean;
}

/** Only commands that need the server's part load it, so that the others start faster. */
const loaded = () => import('./database.js');

/** Opens the storage of these settings while `action` runs. */
async function onDatabase(
  environment: Environment,
  options: Init,
  action: (application: Application) => Promise<void>,
): Promise<void> {
  const { settingsFor, withApplication } = await loaded();
  await withApplication(settingsFor(environment, options), options.with, action);
}

const JSON_HELP = 'as JSON, for programs';

const REPLACE_KEY_HELP = `
Data encrypted with the old key is lost: the credentials of bots, the names and addresses of payment sources, the secrets of
second factors and endpoints, and unsent mails. Strategies, books, records, users, passwords and tokens stay.
Owners of bots must set their credentials again with updateBot. Second factors take recovery codes only.`;

const ROTATE_KEY_HELP = `
Stop the server first. A key file gets a new key in a line before the old one; into SECRET_KEY you put it yourself: SECRET_KEY=new,old.
Then the credentials of bots, the names and addresses of payment sources, the secrets of second factors and endpoints, and unsent mails
are encrypted with it. An interrupted rotation is repeated. Remove the old key two days later: until then repeats of requests need it,
and events that endpoints did not take yet. Copies of the database from before need it as long as you keep them.`;

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
    throw new InvalidArgumentError(`"${unknown}" is not a scope; scopes are ${SCOPES.join(', ')}.`);
  }
  return names;
};

/** Checks an address as sign-up does, so that every user can receive mails. */
const address = (text: string): string => {
  const { email } = operations.newUser.request.shape;
  const read = email.safeParse(text);
  if (!read.success) throw new InvalidArgumentError(`"${text}" is not an e-mail address.`);
  return read.data;
};

/** The commands that open the database themselves; most need the server to be stopped. */
export function registerMaintenanceCommands(program: Command, environment: Environment): void {
  takingAdapters(program.command('migrate'))
    .description('update the database to this version')
    .option(...INIT)
    .action((options: Init) =>
      onDatabase(environment, options, async () => print('The database is up to date.')),
    );

  program
    .command('nodes')
    .description('list the servers over a PostgreSQL database, which may be running')
    .option('--drain <id>', 'first let this one end, when its requests are done and another serves')
    .option('--json', JSON_HELP)
    .action(async ({ drain, json }: { readonly drain?: string; readonly json?: true }) => {
      const { drainNode, nodesOf } = await loaded();
      const nodes = await (drain === undefined
        ? nodesOf(environment)
        : drainNode(environment, drain));
      if (json) print(JSON.stringify(nodes));
      else
        print(
          table(nodes, {
            node: ({ id }) => id,
            address: ({ url }) => url,
            state: ({ state }) => state,
            since: ({ since }) => new Date(since).toISOString(),
            'last heard': ({ age }) => `${(age / 1000).toFixed(1)} s ago`,
          }),
        );
    });

  takingAdapters(program.command('replace-key'))
    .description('continue with a new master key after the old one was lost for ever')
    .addHelpText('after', REPLACE_KEY_HELP)
    .requiredOption('--old-is-lost', 'confirms that you have read the consequences below')
    .action(async (options: WithAdapters) => {
      const { replaceKey, settingsFor } = await loaded();
      await replaceKey(settingsFor(environment, options), options.with);
      print('From now on the server starts with the new master key.');
    });

  takingAdapters(program.command('rotate-key'))
    .description('encrypt the secrets of the database with a new master key')
    .addHelpText('after', ROTATE_KEY_HELP)
    .option('--json', JSON_HELP)
    .action(async ({ json, ...options }: WithAdapters & { json?: true }) => {
      const { rotateKey, settingsFor } = await loaded();
      const settings = settingsFor(environment, options);
      const { encrypted, keys, isNew } = await rotateKey(settings, options.with, (done, of) =>
        progress('Encrypted what is of users:', done, of),
      );
      if (json) return print(JSON.stringify({ encrypted, keys, is_new: isNew }));
      print(
        table(encrypted, {
          secrets: ({ kind }) => kind,
          encrypted: ({ count }) => count,
          unreadable: ({ unreadable }) => unreadable,
        }),
      );
      printError(
        isNew || keys === 'SECRET_KEY'
          ? `The new master key is the first in ${keys}. Store it, start the server, and remove the old one behind it two days later: "doctor" says what it still decrypts.`
          : `No new key was made: ${keys} had several already, and everything is encrypted with the first now. Remove the others to make another one.`,
      );
    });

  takingAdapters(program.command('token'))
    .description('create an api token for a user in the database')
    .requiredOption('--email <address>', 'the e-mail address of the user', address)
    .requiredOption(
      '--scope <names>',
      'allowed operations: their names separated by commas, or *',
      scopes,
    )
    .option('--name <name>', 'a name for the token', 'command line')
    .option('--create', 'create the user (without a password) if there is none', false)
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
        printError('This token is shown only once:');
        print(text);
      }),
    );

  takingAdapters(program.command('import-stocks'))
    .description('add the instruments of a CSV file, or the built-in ones')
    .argument('[file]', 'columns symbol,stock,name,sector,security,exchange,peg,figi_composite')
    .option(...INIT)
    .option('--json', JSON_HELP)
    .action((file: string | undefined, options: Init & { json?: true }) =>
      onDatabase(environment, options, async (application) => {
        const { instruments } = await import('@slipstream/adapter-market');
        const stocks = file === undefined ? instruments() : await readStocksFile(file);
        const added = await application.lifecycle.importStocks(stocks, (done, of) =>
          progress('Imported', done, of),
        );
        if (options.json) print(JSON.stringify({ added, given: stocks.length }));
        else print(`${added} of ${stocks.length} instruments added; the others existed already.`);
      }),
    );

  program
    .command('backup')
    // What contract-2 15 calls the half of a move to PostgreSQL that reads SQLite.
    .alias('export')
    .description('copy the database as it is at one moment; the server may be running')
    .argument('<file>', 'the file of the copy')
    .option('--force', 'replace an existing file', false)
    .option('--json', JSON_HELP)
    .action(async (file: string, { force, json }: { force: boolean; json?: true }) => {
      if (process.stderr.isTTY) printError('Copying the database …');
      const { backUp } = await loaded();
      const { key } = await backUp(environment, file, { force });
      if (json) return print(JSON.stringify({ file, without: [key] }));
      print(`Copied the database to ${file}.`);
      printError(
        `The master key (${key}) is not in the copy. Store it in another place: without it nobody can read the secrets of the copy. See docs/restoring.md.`,
      );
    });

  program
    .command('restore')
    .description('make the database anew from a copy of "backup"; overwrites nothing')
    .argument('<copy>', 'the file of the copy')
    .option('--key <file>', 'the stored master key: it is put where the server looks for it')
    .option('--archives <folder>', 'archives of the audit log (<copy>-audit, if it is there)')
    .option('--json', JSON_HELP)
    .action(async (copy: string, { json, ...options }: RestoreOptions & { json?: true }) => {
      if (process.stderr.isTTY) printError('Restoring the database …');
      const { restore } = await import('./restore.js');
      const restored = await restore(environment, copy, options);
      if (json) return print(JSON.stringify(restored));
      print(`Restored ${restored.file} from ${copy}. The master key fits.`);
      printError('Check the log with "audit --verify", then start the server.');
    });

  program
    .command('import')
    .description('copy a SQLite database into the empty PostgreSQL database of DATABASE_URL')
    .argument('<file>', 'the SQLite file; its server must be stopped')
    .option('--force', 'copy also a file whose books or chains are at fault')
    .option('--json', JSON_HELP)
    .action(async (file: string, { force = false, json }: { force?: boolean; json?: true }) => {
      const { importFrom } = await loaded();
      const progressed = (step: string): void => {
        if (process.stderr.isTTY) printError(`${step} …`);
      };
      const { tables, checked } = await importFrom(environment, file, { force, progressed });
      const { strategies, trades, entries, audit, faults } = checked;
      const rows = tables.reduce((sum, table) => sum + table.rows, 0);
      if (json) return print(JSON.stringify({ file, tables, checked }));
      print(
        `Copied ${rows} rows of ${tables.length} tables from ${file}, and read all of them back.`,
      );
      print(
        faults.length === 0
          ? `On both sides every book, track record and the audit log agree: strategies ${strategies}, trades ${trades}, entries of records ${entries}, the log up to entry ${audit.seq}.`
          : `On both sides the same is at fault:\n  ${faults.join('\n  ')}`,
      );
      printError('Set SECRET_KEY to the master key of the SQLite database (secret.key beside it).');
    });
}
