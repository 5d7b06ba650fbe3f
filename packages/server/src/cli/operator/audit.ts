import { existsSync } from 'node:fs';
import { Refusal } from '@slipstream/domain';
import { type Command, InvalidArgumentError } from 'commander';
import { SettingError } from '../../settings/setting-error.js';
import { printError, print } from '../output.js';
import type { Environment } from '../remote.js';

/** The storage is loaded by the commands that need it: the others start the sooner for it. */
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
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It is the seq of an entry.');
  return Number(text);
};

/** `audit` prints the audit log or checks its chain, also beside a running server. */
export function registerAuditCommands(program: Command, environment: Environment): void {
  program
    .command('audit')
    .description('print the audit log as JSON lines, or check it, also beside a running server')
    .option('--after <seq>', 'only the entries after this one', place, 0)
    .option('--verify', 'check instead that nothing was changed, left out or slipped in')
    .option('--head <hash>', 'with --verify: a head that you kept earlier must still be part of it')
    .option('--key <hex>', 'with --verify: the public key that must have signed the archives')
    .option('--archives <folder>', 'where the archives are, when not beside the database')
    .option(
      '--archive',
      'move what is older than AUDIT_KEPT_DAYS into signed archives; not beside a running server',
    )
    .action(async ({ after, verify, head: known, archives, key, archive }: AuditOptions) => {
      const { archiveNow, archivesOf, printAll, readEnvironment, verifyAll } = await loaded();
      const settings = readEnvironment(environment);
      const { DATABASE_URL: url } = settings;
      if (url.kind !== 'sqlite') throw new SettingError('DATABASE_URL must name a SQLite file');
      if (!existsSync(url.file)) throw new Refusal('not_found', `there is no database ${url.file}`);
      const log = { file: url.file, archives: archives ?? archivesOf(url.file) };
      if (archive) {
        const moved = await archiveNow(settings, log.archives);
        return print(`${moved} entries were moved into ${log.archives}.`);
      }
      if (!verify) {
        if (known === undefined && key === undefined) return printAll(log, after);
        throw new Refusal('invalid_field', '--head is checked by --verify, as --key is: name both');
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
