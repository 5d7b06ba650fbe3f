import { dirname, join } from 'node:path';
import { instruments } from '@slipstream/adapter-market';
import { DatabaseInUse } from '@slipstream/adapter-sql';
import { Refusal } from '@slipstream/domain';
import { SCOPES } from '@slipstream/wire';
import { Command, InvalidArgumentError } from 'commander';
import { demoGuide, openDemo } from '../demo.js';
import { SettingError, type ServerSettings, readSettings } from '../settings.js';
import { version } from '../version.js';
import { backUp, withApplication } from './database.js';
import { runServer } from './run-server.js';
import { readStocksFile } from './stocks-file.js';
import { watch } from './watch.js';

type Environment = Readonly<Record<string, string | undefined>>;

const print = (text: string): void => void process.stdout.write(`${text}\n`);
const complain = (text: string): void => void process.stderr.write(`${text}\n`);

/** What went wrong, in words; anything unexpected with its stack. */
function explain(error: unknown): string {
  if (error instanceof SettingError) return `A setting cannot be used:\n${error.message}`;
  if (error instanceof DatabaseInUse) {
    return `${error.message}. Stop it first, or use its HTTP interface.`;
  }
  if (error instanceof Refusal) return error.message;
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'EADDRINUSE') return 'The port is in use. Choose another one: PORT=3001';
  if (code === 'EACCES' || code === 'ENOENT' || code === 'ECONNREFUSED')
    return (error as Error).message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

const scopes = (text: string): string[] => {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !SCOPES.some((scope) => scope === name));
  if (unknown !== undefined) {
    throw new InvalidArgumentError(`"${unknown}" is no scope; scopes are ${SCOPES.join(', ')}.`);
  }
  return names;
};

const SETTINGS_HELP = `
Settings come from the environment: HOST, PORT, DATABASE_URL (sqlite:<file> or memory:), LOG_LEVEL,
MARKET (demo, replay, push), DEMO_SEED, REPLAY_FILES, REPLAY_SPEED, TRADING_HOURS (exchange, always),
OPERATOR_TOKEN, SECRET_KEY, SIGNUP (open, closed), RATE_LIMITS, QUOTE_FRESH_SECONDS, TRUST_PROXY, CORS_ORIGINS.`;

function serving(program: Command, environment: Environment): void {
  program
    .command('serve')
    .description('run the server')
    .action(() =>
      runServer(readSettings(environment), ({ url }) => complain(`Listening on ${url}`)),
    );

  program
    .command('demo')
    .description('run the server with a demo strategy, a follower and a running bot')
    .action(async () => {
      const settings = readSettings({ LOG_LEVEL: 'warn', ...environment });
      await runServer(settings, async ({ application, url, notice }) => {
        const demo = await openDemo(application, demoFile(settings));
        print(demoGuide(demo, url, notice));
      });
    });
}

/** Beside the database; a demo in memory is made anew each time. */
const demoFile = ({ DATABASE_URL: url }: ServerSettings): string | undefined =>
  url.kind === 'sqlite' ? join(dirname(url.file), 'demo.json') : undefined;

function maintaining(program: Command, environment: Environment): void {
  program
    .command('migrate')
    .description('bring the database up to date')
    .action(() =>
      withApplication(readSettings(environment), async () => print('The database is up to date.')),
    );

  program
    .command('token')
    .description('make an api token for a user of the database')
    .requiredOption('--email <address>', 'whose token')
    .requiredOption(
      '--scope <names>',
      'what it may do: operation names separated by commas, or *',
      scopes,
    )
    .option('--name <name>', 'what it is for', 'command line')
    .option('--create', 'make the user (without a password) when there is none', false)
    .action((options: { email: string; scope: string[]; name: string; create: boolean }) =>
      withApplication(readSettings(environment), async (application) => {
        const { email, scope, name, create } = options;
        const { text } = await application.issueToken({ email, scope, name, createUser: create });
        complain('This token is shown once:');
        print(text);
      }),
    );

  program
    .command('import-stocks')
    .description('add the instruments of a CSV file, or those that come with the server')
    .argument('[file]', 'columns symbol,stock,name,sector,security,exchange,peg,figi_composite')
    .action((file: string | undefined) =>
      withApplication(readSettings(environment), async (application) => {
        const stocks = file === undefined ? instruments() : await readStocksFile(file);
        const added = await application.importStocks(stocks);
        print(`${added} of ${stocks.length} instruments added; the others were there.`);
      }),
    );

  program
    .command('backup')
    .description('copy the database of one moment, also beside a running server')
    .argument('<file>', 'where the copy goes')
    .action(async (file: string) => {
      await backUp(readSettings(environment), file);
      print(`The database was copied to ${file}.`);
    });
}

function watching(program: Command): void {
  program
    .command('watch')
    .description('print the events of live streams, one a line')
    .argument('<channels...>', 'for example wsStrategyValue:<strategy_id>')
    .requiredOption('--token <token>', 'an api token with the scope of the channels')
    .option('--url <url>', 'where the server listens', 'http://127.0.0.1:3000')
    .action(async (channels: string[], options: { token: string; url: string }) => {
      const watched = watch({ ...options, channels, print });
      process.once('SIGINT', () => watched.stop());
      complain(await watched.closed);
    });
}

/** The `slipstream` program. Sets the exit code: 1 when the command failed, 2 when it was wrongly called. */
export async function commandLine(
  argv: readonly string[],
  environment: Environment,
): Promise<void> {
  const program = new Command('slipstream')
    .description('Publish, follow and mirror trading strategies.')
    .version(version)
    .addHelpText('after', SETTINGS_HELP)
    .showHelpAfterError('(--help shows how)');
  serving(program, environment);
  maintaining(program, environment);
  watching(program);
  try {
    await program.parseAsync([...argv]);
  } catch (error) {
    complain(explain(error));
    process.exitCode = 1;
  }
}
