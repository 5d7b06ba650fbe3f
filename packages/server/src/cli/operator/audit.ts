import { resolve } from 'node:path';
import { Refusal } from '@slipstream/domain';
import { type Command, InvalidArgumentError } from 'commander';
import { isFolder, isThere } from '../../settings/is-there.js';
import { SettingError } from '../../settings/setting-error.js';
import { printError, print } from '../output.js';
import type { Environment } from '../remote.js';

/** Only commands that need the storage load it, so that the others start faster. */
const loaded = async () => ({
  ...(await import('./audit-log.js')),
  ...(await import('../../audit/audit-archives.js')),
  ...(await import('./archive-now.js')),
  ...(await import('../read-environment.js')),
});

interface AuditOptions {
  readonly after: number;
  readonly verify?: true;
  readonly head?: string;
  readonly archives?: string;
  readonly key?: string;
  readonly archive?: true;
}

const place = (text: string): number => {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be the seq of an entry.');
  return Number(text);
};

/** A hash that was typed wrong is no sign that the log was changed. */
const head = (text: string): string => {
  if (!/^[0-9a-f]{64}$/.test(text))
    throw new InvalidArgumentError(
      'It must be a head as "audit --verify" prints it: 64 characters, 0 to 9 and a to f.',
    );
  return text;
};

/** A key that was typed wrong is no sign that another one signed. */
const publicKey = (text: string): string => {
  if (!/^[0-9a-f]{64}$/.test(text))
    throw new InvalidArgumentError(
      'It must be a public_key as the last line of an archive has it: 64 characters, 0 to 9 and a to f.',
    );
  return text;
};

/** `audit` prints the audit log or checks its chain; the server may be running. */
export function registerAuditCommands(program: Command, environment: Environment): void {
  program
    .command('audit')
    .description('print the audit log as JSON lines, or check it; the server may be running')
    .option('--after <seq>', 'only the entries after this one', place, 0)
    .option('--verify', 'check that no entry was changed, removed or inserted')
    .option(
      '--head <hash>',
      'with --verify: a head that you stored earlier; the log must still contain it',
      head,
    )
    .option(
      '--key <hex>',
      'with --verify: the public key that the archives must be signed with',
      publicKey,
    )
    .option('--archives <folder>', 'the folder of the archives, if it is not beside the database')
    .option(
      '--archive',
      'move entries older than AUDIT_KEPT_DAYS into signed archives; stop the server first',
    )
    .action(async ({ after, verify, head: known, archives, key, archive }: AuditOptions) => {
      const { archiveNow, archivesOf, printAll, readEnvironment, verifyAll } = await loaded();
      const settings = readEnvironment(environment);
      const { DATABASE_URL: url } = settings;
      if (url.kind === 'memory')
        throw new SettingError('DATABASE_URL must name a SQLite file or a PostgreSQL database');
      if (url.kind === 'sqlite' && !isThere(url.file))
        throw new Refusal('not_found', `there is no database ${url.file}`);
      if (archive && url.kind === 'postgres' && archives === undefined)
        throw new Refusal('invalid_field', '--archive needs --archives <folder> with PostgreSQL');
      // What moves entries into archives makes their folder.
      if (!archive && archives !== undefined && !isFolder(archives))
        throw new Refusal('not_found', `there is no folder ${resolve(archives)}`);
      const folder = archives ?? (url.kind === 'sqlite' ? archivesOf(url.file) : '');
      const log = { database: url, archives: folder };
      if (archive) {
        const moved = await archiveNow(settings, log.archives);
        return print(`Moved ${moved} entries into ${log.archives}.`);
      }
      if (!verify) {
        if (known === undefined && key === undefined) return printAll(log, after);
        throw new Refusal('invalid_field', '--head and --key need --verify');
      }

      const verdict = await verifyAll(log, after, { head: known, key });
      if (verdict.intact) {
        const { seq, hash } = verdict.head;
        return print(`The audit log is intact: ${seq - after} entries, head ${hash}.`);
      }
      printError(`The audit log is NOT intact at entry ${verdict.seq}: ${verdict.reason}.`);
      process.exitCode = 1;
    });
}
