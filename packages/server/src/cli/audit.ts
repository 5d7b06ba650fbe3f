import { existsSync } from 'node:fs';
import { Refusal } from '@slipstream/domain';
import { type Command, InvalidArgumentError } from 'commander';
import { SettingError } from '../setting-error.js';
import { complain, print } from './output.js';
import type { Environment } from './remote.js';

/** The storage is loaded by the commands that need it: the others start the sooner for it. */
const loaded = async () => ({
  ...(await import('./audit-log.js')),
  ...(await import('./read-environment.js')),
});

interface AuditOptions {
  readonly after: number;
  readonly verify?: true;
  readonly head?: string;
}

const place = (text: string): number => {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It is the seq of an entry.');
  return Number(text);
};

/** `audit` prints the audit log or checks its chain, also beside a running server. */
export function auditing(program: Command, environment: Environment): void {
  program
    .command('audit')
    .description('print the audit log as JSON lines, or check it, also beside a running server')
    .option('--after <seq>', 'only the entries after this one', place, 0)
    .option('--verify', 'check instead that nothing was changed, left out or slipped in')
    .option('--head <hash>', 'with --verify: a head that you kept earlier must still be part of it')
    .action(async ({ after, verify, head: known }: AuditOptions) => {
      const { printAll, readEnvironment, verifyAll } = await loaded();
      const { DATABASE_URL: url } = readEnvironment(environment);
      if (url.kind !== 'sqlite') throw new SettingError('DATABASE_URL must name a SQLite file');
      if (!existsSync(url.file)) throw new Refusal('not_found', `there is no database ${url.file}`);
      if (!verify) {
        if (known === undefined) return printAll(url.file, after);
        throw new Refusal('invalid_field', '--head is checked by --verify: name both');
      }

      const verdict = verifyAll(url.file, after, known);
      if (verdict.intact) {
        const { seq, hash } = verdict.head;
        return print(`The audit log is intact: ${seq - after} entries, head ${hash}.`);
      }
      complain(`The audit log is NOT intact at entry ${verdict.seq}: ${verdict.reason}.`);
      process.exitCode = 1;
    });
}
