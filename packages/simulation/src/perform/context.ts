import type { Application, Caller } from '@slipstream/application';
import { withIdempotencyKey } from './with-idempotency-key.js';
import type { Process } from '../run/process.js';
import type { UserName } from '../story/story.js';
import type { Run } from '../run/run.js';

/** A run, with the application that gets the command. */
export interface CommandContext extends Run {
  /** The process of the core that gets the command. */
  readonly process: Process;
  readonly application: Application;
  callerOf(name: UserName): Promise<Caller>;
}

/** The tokens of commands; streams have tokens of their own. */
const TOKENS: Readonly<Record<UserName, string>> = {
  ada: 'test_api_1',
  bob: 'test_api_2',
  cyd: 'test_api_3',
};

/** The command names a strategy, bot or order that does not exist (yet): there is nothing to do. */
class NothingThere extends Error {
  override readonly name = 'NothingThere';
}

export function requireExisting<Item>(item: Item | undefined): Item {
  if (item === undefined) throw new NothingThere('there is none');
  return item;
}

/** Remembers an answered effect, which must survive crashes. */
export function acknowledge(
  { world, memory }: Run,
  what: string,
  sql: string,
  ...parameters: readonly unknown[]
): void {
  memory.acknowledged.push(() =>
    world.database.rows(sql, ...parameters).length > 0 ? undefined : what,
  );
}

/** The context of a command in this process of the core, under its Idempotency-Key if it has one. */
export function commandContext(run: Run, process: Process, key?: number): CommandContext {
  const { application } = process;
  return {
    ...run,
    process,
    application: key === undefined ? application : withIdempotencyKey(run, application, key),
    callerOf: (name) => application.requests.authenticate(TOKENS[name]),
  };
}
