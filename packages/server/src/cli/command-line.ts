import { RequestFailed, Unreachable, isOutcomeUnknown } from '@slipstream/client';
import { ONLY_BY_NAME, Refusal } from '@slipstream/domain';
import { Command, CommanderError } from 'commander';
import type { NotListening } from '../listening.js';
import { SettingError } from '../settings/setting-error.js';
import { version } from '../version.js';
import { account } from './commands/account.js';
import { anchors } from './commands/anchors.js';
import { alerts } from './commands/alerts.js';
import { examining } from './operator/doctor.js';
import { registerAuditCommands } from './operator/audit.js';
import { bots } from './commands/bots.js';
import { calledAs } from './called-as.js';
import { calling } from './commands/call.js';
import { completing } from './completion.js';
import { following } from './commands/following.js';
import { halts } from './commands/halts.js';
import { registerMaintenanceCommands } from './operator/maintenance.js';
import { replaying } from './operator/replaying.js';
import { money } from './commands/money.js';
import { orders } from './commands/orders.js';
import { printError } from './output.js';
import { type Environment, OPERATOR, ScopeRefused } from './remote.js';
import { serving } from './operator/serving.js';
import { stocks } from './commands/stocks.js';
import { refuseUnknownCommand } from './unknown-command.js';
import { strategies } from './commands/strategies.js';
import { targets } from './commands/targets.js';
import { importHistory } from './commands/import-history.js';
import { reports } from './commands/report.js';
import { trackRecords } from './commands/track-record.js';
import { WatchFailed, watching } from './commands/watch.js';

/** Compares by name, because most commands do not load the storage, to start faster. */
const isNamed = (error: unknown, name: string): error is Error =>
  error instanceof Error && error.name === name;

/** Which token does it, and where it comes from; the scope `*` does not include every scope. */
function tokenFor(refused: RequestFailed, name: string): string {
  const scope = refused instanceof ScopeRefused ? refused.scope : '*';
  if (scope === OPERATOR)
    return 'Only the operator may do this: use the OPERATOR_TOKEN that the server was started with in --token or SLIPSTREAM_TOKEN.';
  const scopes = ONLY_BY_NAME.includes(scope) ? ` --scope '*,${scope}'` : '';
  return `Use a token with the scope for this in --token or SLIPSTREAM_TOKEN. To get one: ${name} sign-in <email>${scopes}`;
}

/** What to do when a table or column is not there: the database is new, or of an older release. */
const adviceFor = ({ message, ...error }: Error): string =>
  /^no such (table|column)/.test(message) ||
  ('code' in error && /^42(P01|703)$/.test(String(error.code)))
    ? '. If it is new, or of an older release, update it with "migrate" first'
    : '';

/** The driver's errors have a code, or words of its own. */
function because(cause: unknown): string {
  const { code, message } = (cause ?? {}) as { readonly code?: string; readonly message?: string };
  return code === undefined && message === undefined ? '' : ` (${code ?? message})`;
}

/** What came first: the storage wraps what the driver says. */
function causeOf(error: unknown): unknown {
  return error instanceof Error && error.name !== 'ConnectionLost' && error.cause !== undefined
    ? causeOf(error.cause)
    : error;
}

/** Why a server did not do what it was asked. */
function explainFailed(error: RequestFailed | Unreachable, name: string): string {
  if (error.message.endsWith('(unexpected redirect)'))
    return `${error.message}: it leads to another address. Write that one, mostly https:// instead of http://`;
  if (error instanceof RequestFailed && error.code === 'unexpected_answer' && error.status === 404)
    return `${error.message}. Is that the address of the server? --url or SLIPSTREAM_URL names another one.`;
  if (isOutcomeUnknown(error))
    return `${error.message}. If it was to change something, look whether it did before you repeat it.`;
  if (error instanceof Unreachable)
    return `${error.message}. Is the server running? It starts with: ${name} serve`;
  if (error.status === 401) return `${error.message} ${tokenFor(error, name)}`;
  return error.retryAfter === null
    ? error.message
    : `${error.message} (wait ${error.retryAfter} s)`;
}

/** A copy has its target in `dest`. */
type FileError = NodeJS.ErrnoException & { readonly dest?: string };

/** What the system says of the disk that is written. */
const OF_DISK: Readonly<Record<string, string>> = {
  ENOSPC: ': its disk is full',
  EDQUOT: ': no more room is given there',
  EROFS: ': its disk can only be read',
};

/** Why a file or folder that somebody named cannot be used. Of a copy it is not said which of the two is meant, but of its disk. */
function aboutFile({ code = '', path, dest, syscall }: FileError): string {
  if (dest !== undefined)
    return `${path} cannot be copied to ${dest} (${code})${OF_DISK[code] ?? ''}`;
  if (code === 'ENOENT' && syscall !== 'mkdir') return `there is no ${path}`;
  return `${path} cannot be read or written (${code})${OF_DISK[code] ?? ''}`;
}

/** The error as text; an unexpected one with its stack. */
function explain(error: unknown, name: string): string {
  if (error instanceof SettingError) return `A setting cannot be used:\n${error.message}`;
  if (isNamed(error, 'DatabaseInUse')) {
    return `${error.message}. Stop it first, or use its HTTP interface.`;
  }
  if (isNamed(error, 'UnusableDatabase')) return `DATABASE_URL: ${error.message}`;
  if (isNamed(error, 'SqliteError') || isNamed(error, 'ServerError') || isNamed(error, 'NodeEnded'))
    return `The database could not be used: ${error.message}${adviceFor(error)}`;
  if (isNamed(error, 'ConnectionLost'))
    return `DATABASE_URL: the database cannot be reached${because(error.cause)}`;
  if (isNamed(error, 'StorageUnavailable')) {
    const cause = causeOf(error);
    return ['ServerError', 'NodeEnded', 'ConnectionLost'].some((one) => isNamed(cause, one))
      ? explain(cause, name)
      : `The database could not be used: ${error.message}. Is there room on its disk? What was stored before stays.`;
  }
  if (isNamed(error, 'UnreadableEntry')) return error.message;
  if (isNamed(error, 'UnusableRecording')) return `REPLAY_FILES: ${error.message}`;
  if (error instanceof CommanderError) return error.message.replace(/^error: /, '');
  if (error instanceof Refusal || error instanceof WatchFailed) return error.message;
  if (error instanceof Unreachable || error instanceof RequestFailed)
    return explainFailed(error, name);
  const { code, syscall, path, port = 0 } = error as NotListening;
  if (code === 'EADDRINUSE')
    return `The port ${port} is in use. Stop what uses it, or choose another one: PORT=${another(port)}`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `A setting cannot be used:\nHOST is not an address of this machine (${code})`;
  if (code === 'EACCES' && (syscall === 'listen' || syscall === 'bind'))
    return 'A setting cannot be used:\nthis user may not listen on PORT (EACCES)';
  if (syscall !== undefined && code !== undefined)
    return path === undefined ? (error as Error).message : aboutFile(error as FileError);
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

const LAST_PORT = 65_535;
const another = (port: number): number => (port < LAST_PORT ? port + 1 : port - 1);

function codeOf(error: unknown): string {
  if (error instanceof RequestFailed || error instanceof Refusal) return error.code;
  if (error instanceof Unreachable) return 'unreachable';
  return error instanceof CommanderError ? 'bad_arguments' : 'failed';
}

/** The error for programs, in the form of the service's refusals. */
function asJson(error: unknown, name: string): string {
  const code = codeOf(error);
  const requestId = error instanceof RequestFailed ? error.requestId : null;
  return JSON.stringify({
    success: false,
    response: explain(error, name),
    code,
    request_id: requestId,
  });
}

const SETTINGS_HELP = `
Settings come from the environment: HOST, PORT, DATABASE_URL (sqlite:<file>,
postgres://… or memory:), NODE_URL, LEASE_SECONDS, FRONTS, LOG_LEVEL,
MARKET (demo, replay, push, live), PUSH_TRUSTED (off, on), DISCLOSURE, TIMESTAMP_URL, FEEDS (coinbase, kraken, alpaca),
COINBASE_STREAM_URL, KRAKEN_STREAM_URL, ALPACA_STREAM_URL, ALPACA_DATA_KEY_ID, ALPACA_DATA_SECRET, ALPACA_DATA_FEED (iex, sip), ALPACA_DATA_URL, DEMO_SEED, REPLAY_FILES, REPLAY_SPEED, TRADING_HOURS (exchange, always),
BROKERS (simulated, alpaca_paper, alpaca, kraken, coinbase), LIVE_TRADING (off, on), ALPACA_PAPER_URL, ALPACA_LIVE_URL,
ALPACA_OAUTH_CLIENT_ID, ALPACA_OAUTH_CLIENT_SECRET, ALPACA_OAUTH_URL, CCXT_URL_kraken, CCXT_URL_coinbase,
OPERATOR_TOKEN, METRICS_TOKEN, ALLOWED_HOSTS, SECRET_KEY, SECRET_KEY_FILE, SIGNUP (open, closed), CONFIRM_EMAIL,
RATE_LIMITS, CAPS, MAX_SPREAD, CONNECTION_LIMITS, AUDIT_KEPT_DAYS, QUOTE_FRESH_SECONDS, TRUST_PROXY, CORS_ORIGINS, PUBLIC_URL, SMTP_URL, MAIL_FROM, STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_URL,
WEBHOOK_ALLOW (loopback), TELEGRAM_URL, DISCORD_URL.`;

/** In the order in which the help lists them. */
const COMMANDS = [
  ...[
    serving,
    examining,
    registerMaintenanceCommands,
    registerAuditCommands,
    replaying,
    account,
    strategies,
    orders,
    targets,
    alerts,
    watching,
    trackRecords,
    anchors,
    reports,
    importHistory,
  ],
  ...[following, bots, halts, money, stocks, calling],
];

/**
 * The words without `--help` where they name a command that does not exist: help about others would hide the mistake. What stands beside a
 * group can also be what its list is of.
 */
function withoutIdleHelp(program: Command, argv: readonly string[]): string[] {
  let group = program;
  for (const word of argv.slice(2)) {
    const { commands, registeredArguments: given } = group;
    if (commands.length === 0 || given.length > 0) break;
    if (word.startsWith('-') || word === 'help') break;
    const command = commands.find((one) => one.name() === word || one.aliases().includes(word));
    const list = commands.find((one) => one.name() === 'list');
    if (!command && list?.registeredArguments.length) break;
    if (!command) return argv.filter((one) => one !== '--help' && one !== '-h');
    group = command;
  }
  return [...argv];
}

/** The `slipstream` program. The exit code is 1 if the command failed or its arguments were wrong. */
export async function commandLine(
  argv: readonly string[],
  environment: Environment,
): Promise<void> {
  const name = calledAs(argv, environment, process.cwd());
  const program = new Command(name)
    .description('Publish, follow and mirror trading strategies.')
    .version(version)
    .addHelpText('after', SETTINGS_HELP)
    .showHelpAfterError('(--help shows how)')
    .exitOverride();
  const isForPrograms = argv.includes('--json');
  // For programs it is printed as JSON, once, below.
  if (isForPrograms) program.configureOutput({ writeErr: () => undefined });
  for (const add of COMMANDS) add(program, environment);
  completing(program, argv);
  try {
    refuseUnknownCommand(program, argv);
    await program.parseAsync(withoutIdleHelp(program, argv));
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode;
      // Help, and for people every mistake in the arguments, is printed already.
      if (error.exitCode === 0 || !isForPrograms) return;
    }
    printError(isForPrograms ? asJson(error, name) : explain(error, name));
    process.exitCode = 1;
  }
}
