import type { Application, Caller } from '@slipstream/application';
import { underKey } from './keyed.js';
import type { Process } from './process.js';
import type { UserName } from './story.js';
import type { World } from './world.js';

/** What a command is done with. */
export interface Doing {
  readonly world: World;
  readonly application: Application;
  callerOf(name: UserName): Promise<Caller>;
}

/** Texts of the tokens that commands are given with; streams have tokens of their own. */
const TOKENS: Readonly<Record<UserName, string>> = {
  ada: 'test_api_1',
  bob: 'test_api_2',
  cyd: 'test_api_3',
};

/** The strategy or bot that a command names, or nothing to do. */
export class NothingThere extends Error {
  override readonly name = 'NothingThere';
}

export function there<Item>(item: Item | undefined): Item {
  if (item === undefined) throw new NothingThere('there is none');
  return item;
}

/** What was answered must still be there after a crash. */
export function acknowledge(
  world: World,
  what: string,
  sql: string,
  ...parameters: readonly unknown[]
): void {
  world.memory.acknowledged.push(() =>
    world.database.rows(sql, ...parameters).length > 0 ? undefined : what,
  );
}

/** What a command is done with in this life of the core, under its Idempotency-Key if it has one. */
export const doingOf = (world: World, { application }: Process, key?: number): Doing => ({
  world,
  application: key === undefined ? application : underKey(world, application, key),
  callerOf: (name: UserName): Promise<Caller> => application.authenticate(TOKENS[name]),
});
