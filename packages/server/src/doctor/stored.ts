import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { placeOfKey } from '@slipstream/adapter-crypto';
import {
  type Examined,
  type StoredSecrets,
  checkPostgres,
  checkSqlite,
  examinePostgres,
  examineSqlite,
} from '@slipstream/adapter-sql';
import { MINUTE, SECOND } from '@slipstream/domain';
import { keyFileOf, presentKeys } from '../composition/secret-key.js';
import { forgottenMarket } from '../settings/forgotten-market.js';
import type { ServerSettings } from '../settings/settings.js';
import { isThere } from '../settings/is-there.js';
import { type Finding, TO_SET_THE_CLOCK, findingsAbout, inShort } from './finding.js';

const damaged = (what: string, how: string): Finding =>
  findingsAbout('database').bad(
    `${what} is damaged: ${how}`,
    'Restore a backup: docs/restoring.md.',
  );

/** The storage's own words name no secret, and those of the driver where it has no code. */
function reasonOf(error: unknown): string {
  const { name, message, cause } = error as Error;
  if (name === 'UnusableDatabase' || name === 'ServerError') return message;
  if (name !== 'ConnectionLost' || cause === undefined) return inShort(error);
  const { code } = cause as NodeJS.ErrnoException;
  return code ?? (cause as Error).message;
}

function mendOf(kind: 'sqlite' | 'postgres', error: unknown): string {
  if (kind === 'sqlite')
    return 'Let the user that runs the server read it, or name another file in DATABASE_URL.';
  if ((error as Error).name === 'UnusableDatabase')
    return 'Name a database in DATABASE_URL that is set up as docs/postgresql.md says.';
  return String((error as { code?: unknown }).code).startsWith('53')
    ? 'Give PostgreSQL what it lacks: docs/several-nodes.md says how many connections servers use.'
    : 'Start PostgreSQL, and check the host, user, password and name in DATABASE_URL.';
}

const listed = (secrets: readonly StoredSecrets[]): string =>
  secrets.map(({ kind, count }) => `${kind} (${count})`).join(', ');

/** Whether the master keys are those of the database, and what needs the older ones of a rotation. */
function secretFindings(settings: ServerSettings, secrets: readonly StoredSecrets[]): Finding[] {
  const { good, bad } = findingsAbout('key');
  const keys = presentKeys(settings);
  if (!keys) return [];
  const under = (place: number): StoredSecrets[] =>
    secrets.filter(({ beginning }) => placeOfKey(beginning, keys) === place);
  const unread = under(-1);
  if (unread.some(({ kind }) => kind === 'proof'))
    return [
      bad(
        'the secrets of the database were encrypted with another master key',
        'Put the right one back. If it is lost for ever: replace-key --help',
      ),
    ];
  const older = keys.slice(1).map((_, at) => {
    const needed = listed(under(at + 1));
    return needed === ''
      ? good(`the master key at place ${at + 2} decrypts nothing that lasts`)
      : good(
          `keep the master key at place ${at + 2}: it decrypts ${needed}; "rotate-key" encrypts them with the first`,
        );
  });
  if (unread.length === 0) return older;
  return [
    ...older,
    bad(
      `no master key decrypts ${listed(unread)}`,
      'Put the key behind the present one that was removed too early: SECRET_KEY=new,old. If it is lost, their owners must give them again.',
    ),
  ];
}

function missingDatabase(settings: ServerSettings, file: string): Finding {
  const { good, doubtful } = findingsAbout('database');
  const key = keyFileOf(settings);
  return key !== undefined && isThere(key)
    ? doubtful(
        `there is no database ${file}, though its master key is there: the next start begins with nothing`,
        'Check DATABASE_URL and whether its volume is mounted, or restore a backup: docs/restoring.md.',
      )
    : good(`the first start makes ${file}`);
}

/** Files of the database that the user who asks does not own, and so cannot make private, as each start does. */
function foreignFindings(file: string): Finding[] {
  const user = process.geteuid?.() ?? 0;
  if (user === 0) return [];
  const foreign = ['', '-lock', '-wal', '-shm']
    .map((end) => `${file}${end}`)
    .find((one) => (statSync(one, { throwIfNoEntry: false })?.uid ?? user) !== user);
  if (foreign === undefined) return [];
  return [
    findingsAbout('database').bad(
      `${foreign} belongs to another user: the server cannot open it`,
      'Give it to the user that runs the server (chown), and run every command as that user.',
    ),
  ];
}

/** The clock of this machine, by what the database knows of the time. */
function timeFindings({ lastRun, time }: Examined, now: number): Finding[] {
  const { bad } = findingsAbout('clock');
  const apart = time === undefined ? 0 : now - time;
  const seconds = (Math.abs(apart) / SECOND).toFixed(1);
  return [
    ...(lastRun !== undefined && lastRun.at - now > MINUTE
      ? [
          bad(
            `it is behind the last moment of the database, ${new Date(lastRun.at).toISOString()}`,
            `It is wrong, or was when that was written: docs/operating.md. ${TO_SET_THE_CLOCK}`,
          ),
        ]
      : []),
    ...(Math.abs(apart) > SECOND
      ? [
          bad(
            `it is ${seconds} s ${apart > 0 ? 'ahead of' : 'behind'} that of PostgreSQL`,
            `${TO_SET_THE_CLOCK}, on both machines`,
          ),
        ]
      : []),
  ];
}

/** The market, by what the database knows of the last run: the next start asks the same. */
function marketFindings({ lastRun }: Examined, settings: ServerSettings): Finding[] {
  const forgotten = forgottenMarket(lastRun, settings);
  if (!forgotten) return [];
  const mend = `${forgotten.mend.charAt(0).toUpperCase()}${forgotten.mend.slice(1)}.`;
  return [findingsAbout('market').bad(forgotten.says, mend)];
}

/** The database: whether it is there, whole, and of this release, and what time it knows of. Nothing in it is changed. */
export async function databaseFindings(
  settings: ServerSettings,
  now: () => number,
): Promise<Finding[]> {
  const { DATABASE_URL: url } = settings;
  const { good, doubtful, bad } = findingsAbout('database');
  if (url.kind === 'memory')
    return [
      doubtful(
        'DATABASE_URL is memory: everything is lost when the server stops',
        'Set DATABASE_URL=sqlite:<file>, or leave it out.',
      ),
    ];
  try {
    if (url.kind === 'sqlite' && !isThere(url.file))
      return [missingDatabase(settings, resolve(url.file))];
    const foreign = url.kind === 'sqlite' ? foreignFindings(url.file) : [];
    if (foreign.length > 0) return foreign;
    const examined =
      url.kind === 'sqlite' ? await examineSqlite(url.file) : await examinePostgres(url.url);
    const { what, problems, unknown, missing, secrets, owner } = examined;
    const ofTime = timeFindings(examined, now());
    if (problems.length > 0) return [damaged(what, problems.join('; '))];
    if (unknown.length > 0)
      return [
        bad(
          `${what} is of a later release (${unknown.join(', ')})`,
          'Use that release, or a backup from before it.',
        ),
      ];
    const state =
      missing.length === 0 ? 'is up to date' : 'is brought up to date at the next start';
    return [
      ...secretFindings(settings, secrets),
      good(`${what} is whole and ${state}${owner === undefined ? '' : `; ${owner} uses it`}`),
      ...marketFindings(examined, settings),
      ...ofTime,
    ];
  } catch (error) {
    if (inShort(error).startsWith('SQLITE_CORRUPT'))
      return [damaged('the SQLite database', inShort(error))];
    const text = reasonOf(error);
    return [bad(`the database cannot be read (${text})`, mendOf(url.kind, error))];
  }
}

const MOST_FAULTS = 10;

/** What the database says of itself: whether each book is what its trades add up to, and whether track records and audit log are whole. */
export async function ledgerFindings({ DATABASE_URL: url }: ServerSettings): Promise<Finding[]> {
  const { good, bad } = findingsAbout('ledgers');
  if (url.kind === 'memory' || (url.kind === 'sqlite' && !isThere(url.file))) return [];
  try {
    const { strategies, trades, entries, audit, faults } =
      url.kind === 'sqlite' ? await checkSqlite(url.file) : await checkPostgres(url.url);
    if (faults.length === 0)
      return [
        good(
          `every book, track record and the audit log agree: strategies ${strategies}, trades ${trades}, entries of records ${entries}, the log up to entry ${audit.seq}`,
        ),
      ];
    const shown = [
      ...faults.slice(0, MOST_FAULTS),
      ...(faults.length > MOST_FAULTS ? [`and ${faults.length - MOST_FAULTS} more`] : []),
    ];
    return shown.map((fault) =>
      bad(
        fault,
        'Stop the server, keep a copy of the database, and restore a backup from before it: docs/restoring.md.',
      ),
    );
  } catch (error) {
    return [bad(`they cannot be read (${reasonOf(error)})`, mendOf(url.kind, error))];
  }
}
