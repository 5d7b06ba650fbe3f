import { resolve } from 'node:path';
import {
  type ImportOptions,
  type Imported,
  type NodeState,
  UnusableDatabase,
  backupSqlite,
  drainPostgresNode,
  importSqlite,
  postgresNodes,
  requireOwnFile,
} from '@slipstream/adapter-sql';
import { type Application, type EncryptedAnew, acceptMasterKey } from '@slipstream/application';
import { Refusal } from '@slipstream/domain';
import { compose } from '../../composition/compose.js';
import { APPLICATION, SECRET_BOX, UNIT_OF_WORK } from '../../composition/tokens.js';
import { jsonLogger, logFrom } from '../../monitoring/logging.js';
import { keyFileOf, makeKey, presentKeys } from '../../composition/secret-key.js';
import { isFolder, isThere } from '../../settings/is-there.js';
import { SettingError } from '../../settings/setting-error.js';
import type { ServerSettings } from '../../settings/settings.js';
import { type WithAdapters, adaptersOf } from './foreign-adapters.js';
import { readEnvironment } from '../read-environment.js';
import type { Environment } from '../remote.js';

/** A mistyped path or another folder must not become a new, empty database. */
function requireDatabase({ DATABASE_URL: url }: ServerSettings, init: boolean | undefined): void {
  if (init || url.kind !== 'sqlite' || isThere(url.file)) return;
  const hint = init === undefined ? '' : '; --init creates one';
  throw new Refusal('not_found', `there is no database ${resolve(url.file)}${hint}`);
}

/** The settings of a command that needs an existing database, or creates one if it has the option `init`. */
export function settingsFor(
  environment: Environment,
  options: WithAdapters & { readonly init?: boolean },
): ServerSettings {
  const settings = readEnvironment(environment);
  if (options.with === undefined) requireDatabase(settings, options.init);
  return settings;
}

/** Opens the storage as its owner, without market and network, while `action` runs. */
export async function withApplication(
  settings: ServerSettings,
  adaptersFile: string | undefined,
  action: (application: Application) => Promise<void>,
): Promise<void> {
  const log = logFrom(jsonLogger('warn'));
  const adapters = await adaptersOf(adaptersFile, settings, log);
  const { container, close } = await compose(settings, log, adapters);
  try {
    await action(await container.getAsync(APPLICATION));
  } finally {
    await close();
  }
}

/** Makes the present master key that of the storage; creates its file if there is none. */
export async function replaceKey(
  settings: ServerSettings,
  adaptersFile: string | undefined,
): Promise<void> {
  const log = logFrom(jsonLogger('warn'));
  makeKey(settings);
  const adapters = await adaptersOf(adaptersFile, settings, log);
  const { close } = await compose(settings, log, adapters, { key: 'replaced' });
  await close();
}

/** What a rotation of the master key did. */
export interface Rotation {
  readonly encrypted: readonly EncryptedAnew[];
  /** The setting or the file that still has the older keys behind the new one. */
  readonly keys: string;
  /** Whether a new key was made now: several that were there already mean that the rotation was begun. */
  readonly isNew: boolean;
}

/** Encrypts with the first master key what lasts; a key file first gets a new one. `progressed` hears how many users are done of how many. */
export async function rotateKey(
  settings: ServerSettings,
  adaptersFile: string | undefined,
  progressed: (done: number, of: number) => void,
): Promise<Rotation> {
  const log = logFrom(jsonLogger('warn'));
  const adapters = await adaptersOf(adaptersFile, settings, log);
  const [before] = presentKeys(settings) ?? [];
  const { container, close } = await compose(settings, log, adapters, { key: 'rotated' });
  try {
    const application = await container.getAsync(APPLICATION);
    const encrypted = await application.lifecycle.encryptAnew(progressed);
    const unitOfWork = await container.getAsync(UNIT_OF_WORK);
    await acceptMasterKey({ unitOfWork, secretBox: container.get(SECRET_BOX) });
    const isNew = presentKeys(settings)?.[0] !== before;
    return { encrypted, keys: keyFileOf(settings) ?? 'SECRET_KEY', isNew };
  } finally {
    await close();
  }
}

/** What the driver says of a disk. It does not say whether it is the one that is read or the one that is written. */
const OF_DISK = /^SQLITE_(FULL|IOERR)/;

/** The error of a copy, by the name of the copy: the database is only read. */
function ofCopy(to: string, error: unknown): unknown {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (!OF_DISK.test(code)) return error;
  return new Refusal(
    'conflict',
    `${to} could not be made: ${message}. Is there room on its disk? The database is as it was.`,
  );
}

/**
 * Copies the database file as it is at one moment; the server may be running. Replaces an existing file only with `force`.
 * The answer names the place of the master key, which is not in the copy.
 */
export async function backUp(
  environment: Environment,
  to: string,
  { force }: { readonly force: boolean },
): Promise<{ readonly key: string }> {
  const settings = readEnvironment(environment);
  const url = settings.DATABASE_URL;
  if (url.kind === 'postgres')
    throw new SettingError(
      'DATABASE_URL names a PostgreSQL database: copy it with pg_dump, and restore it with pg_restore',
    );
  if (url.kind !== 'sqlite') throw new SettingError('DATABASE_URL must name a SQLite file to copy');
  if (!isThere(url.file)) throw new Refusal('not_found', `there is no database ${url.file}`);
  if (resolve(to) === resolve(url.file)) {
    throw new Refusal('invalid_field', 'the copy must be another file than the database');
  }
  if (isFolder(to)) {
    throw new Refusal('invalid_field', `${to} is a folder: name the file of the copy in it`);
  }
  if (!force && isThere(to)) {
    throw new Refusal('conflict', `${to} exists already; --force replaces it`);
  }
  await backupSqlite(url.file, to).catch((error: unknown) => {
    throw ofCopy(to, error);
  });
  return { key: keyFileOf(settings) ?? 'SECRET_KEY' };
}

/** A file of an argument, which is not that of DATABASE_URL, as whose fault an unusable database counts. */
function requireOwnArgument(file: string): void {
  try {
    requireOwnFile(resolve(file));
  } catch (error) {
    throw error instanceof UnusableDatabase ? new Refusal('invalid_field', error.message) : error;
  }
}

/** Copies everything from a SQLite file into the PostgreSQL database of the settings, and checks it on both sides. */
export async function importFrom(
  environment: Environment,
  file: string,
  options: ImportOptions,
): Promise<Imported> {
  const { DATABASE_URL: url } = readEnvironment(environment);
  if (url.kind !== 'postgres')
    throw new SettingError('DATABASE_URL must name the PostgreSQL database to import into');
  if (!isThere(file)) throw new Refusal('not_found', `there is no database ${file}`);
  requireOwnArgument(file);
  return importSqlite(file, url.url, options);
}

/** The database that several servers may share. */
function sharedDatabase(environment: Environment): string {
  const { DATABASE_URL: url } = readEnvironment(environment);
  if (url.kind === 'postgres') return url.url;
  throw new SettingError(
    'DATABASE_URL must name a PostgreSQL database: only it has several servers',
  );
}

/** The servers over the PostgreSQL database of the settings. */
export const nodesOf = async (environment: Environment): Promise<NodeState[]> =>
  postgresNodes(sharedDatabase(environment));

/** How long a server may take to end, in milliseconds: it finishes its requests first. */
const DRAIN = 30_000;

/** Lets one of several servers end as if it was stopped; answers those that are left once one of them serves. */
export async function drainNode(environment: Environment, node: string): Promise<NodeState[]> {
  const left = await drainPostgresNode(sharedDatabase(environment), node, DRAIN);
  if (left === 'unknown') throw new Refusal('not_found', `no server has the id ${node}`);
  if (left === 'alone')
    throw new Refusal('conflict', 'no other server could serve; stop this one with SIGTERM');
  if (left === 'late')
    throw new Refusal(
      'conflict',
      `the server was asked to end, and has not within ${DRAIN / 1000} s`,
    );
  return left;
}
