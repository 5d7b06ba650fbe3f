import { setTimeout as delay } from 'node:timers/promises';
import { StorageUnavailable, type Terms } from '@slipstream/ports';
import type { Connection } from './connection.js';
import { TransactionLost, isLocked, isStorageFailure } from './failures.js';
import type { RecordCache } from './record-cache.js';
import { type Rests, SLICE, type Session, openSession } from './session.js';

const MAX_GROUP = 256;

/** Uses of the stores after which a work is one over many rows. */
const MANY = 100;

/** Between two tries to get the write lock, in milliseconds. */
const RETRY_AFTER = { least: 5, most: 40 };

export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Milliseconds that go by, and waiting for some of them. */
export interface Time {
  now(): number;
  wait(milliseconds: number): Promise<void>;
}

export const hostTime: Time = { now: () => performance.now(), wait: (ms) => delay(ms) };

class WaitsTooLong extends Error {
  override readonly name = 'WaitsTooLong';
}

/**
 * A promise that is rejected once a whole such while goes by without a use of the stores. Works that wait only for their
 * stores never see it, however many they are and however slow the machine is.
 */
function idleFor(
  milliseconds: number,
  uses: () => number,
): { readonly tooLong: Promise<never>; letGo(): void } {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    const error = new WaitsTooLong('a work waits for more than its stores: for another work?');
    let seen = uses();
    timer = setInterval(() => {
      if (uses() === seen) reject(error);
      seen = uses();
    }, milliseconds).unref();
  });
  // Nobody may be waiting any more.
  tooLong.catch(() => undefined);
  return { tooLong, letGo: () => clearInterval(timer) };
}

interface Asked {
  readonly work: (session: Session) => Promise<unknown>;
  readonly terms: Terms<unknown>;
  /** Until when it waits for a locked database. */
  readonly patientUntil: number;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** Once it has begun it ends, also when it is run again. */
  hasBegun: boolean;
}

export interface GroupCommit {
  /** Resolves after the commit of the group that the work became part of; the terms are as the port says. */
  run<Answer>(work: (session: Session) => Promise<Answer>, terms?: Terms<Answer>): Promise<Answer>;
  /** Commits so far that wrote something: it changes exactly when what readers can see does. */
  commits(): number;
  /** Resolves when nothing waits any more. */
  idle(): Promise<void>;
}

/**
 * Works that arrive together run one after another in one transaction: one fsync for all of them, answers after it.
 * One that throws takes back only what it wrote itself.
 */
export function groupCommit(
  connection: Connection,
  records: RecordCache,
  patience: number,
  turn: () => Promise<void> = nextTurn,
  time: Time = hostTime,
): GroupCommit {
  let waiting: Asked[] = [];
  let busy: Promise<void> | undefined;
  let commits = 0;
  /** Works begun, and uses of their stores. */
  let uses = 0;
  const used = (): void => {
    uses += 1;
  };

  const rests: Rests = { now: () => time.now(), turn, after: MANY };

  const rollback = (): void => {
    if (connection.inTransaction) connection.statement('ROLLBACK').run();
  };

  const refuse = (group: readonly Asked[], cause: unknown): void => {
    const error = new StorageUnavailable('the database could not be written', { cause });
    for (const { reject } of group) reject(error);
  };

  /** Those of the works that go on waiting; the others are refused, and nothing of them is ever done. */
  const remaining = (
    works: readonly Asked[],
    waits: (asked: Asked) => boolean,
    cause?: unknown,
  ): Asked[] =>
    works.filter((asked) => {
      if (waits(asked)) return true;
      asked.reject(new StorageUnavailable('the work could not begin in time', { cause }));
      return false;
    });
  const isWanted = ({ hasBegun, terms }: Asked): boolean => hasBegun || terms.wanted?.() !== false;
  const isPatient = (asked: Asked): boolean => isWanted(asked) && time.now() < asked.patientUntil;

  /** Begins the transaction, and answers the works that are still to be done then. */
  const begin = async (asked: readonly Asked[]): Promise<readonly Asked[]> => {
    for (let group = remaining(asked, isWanted); group.length > 0;) {
      try {
        rollback();
        connection.statement('BEGIN IMMEDIATE').run();
        return group;
      } catch (error) {
        if (!isLocked(error)) {
          refuse(group, error);
          break;
        }
        group = remaining(group, isPatient, error);
        waiting = remaining(waiting, isPatient, error);
      }
      await time.wait(RETRY_AFTER.least + Math.random() * (RETRY_AFTER.most - RETRY_AFTER.least));
      group = remaining(group, isWanted);
    }
    return [];
  };

  const perform = async (asked: readonly Asked[]): Promise<void> => {
    const group = await begin(asked);
    if (group.length === 0) return;
    const idle = idleFor(patience, () => uses);
    try {
      await performGroup(group, idle.tooLong);
    } finally {
      idle.letGo();
    }
  };

  const performGroup = async (group: readonly Asked[], tooLong: Promise<never>): Promise<void> => {
    const own = records.openGroup();
    const takeBack = (): void => {
      own.forget();
      try {
        rollback();
      } catch {
        // The next group begins with it, and is told when it fails again.
      }
    };
    const giveUp = (cause: unknown): void => {
      takeBack();
      refuse(group, cause);
    };

    const answers: (() => void)[] = [];
    let groupWrote = false;
    let sliceBegan = time.now();
    for (const asked of group) {
      if (time.now() - sliceBegan > SLICE) {
        await turn();
        sliceBegan = time.now();
      }
      const { work, terms, resolve, reject } = asked;
      if (!isWanted(asked)) {
        answers.push(() => reject(new StorageUnavailable('the work could not begin in time')));
        continue;
      }
      asked.hasBegun = true;
      own.openWork();
      used();
      const session = openSession(connection, own, { isNested: group.length > 1, used, rests });
      try {
        const answer = await Promise.race([work(session), tooLong]);
        const failure = session.failure();
        if (failure) throw failure;
        if (!connection.inTransaction) throw new TransactionLost('the transaction was rolled back');
        session.keep();
        answers.push(() => {
          try {
            terms.committed?.(answer);
            resolve(answer);
          } catch (error) {
            reject(error);
          }
        });
      } catch (error) {
        if (error instanceof WaitsTooLong) {
          session.end();
          takeBack();
          reject(error);
          await perform(group.filter((other) => other !== asked));
          return;
        }
        if (isStorageFailure(session.failure()) || !connection.inTransaction)
          return giveUp(session.failure() ?? error);
        // What of it still goes on would write into the next work.
        session.end();
        if (session.wrote()) {
          if (group.length === 1) {
            takeBack();
            return reject(error);
          }
          try {
            session.takeBack();
          } catch (fault) {
            return giveUp(fault);
          }
          own.takeBackWork();
        }
        answers.push(() => reject(error));
      } finally {
        session.end();
      }
      groupWrote ||= session.wrote();
    }

    try {
      connection.statement('COMMIT').run();
    } catch (error) {
      return giveUp(error);
    }
    own.promote();
    if (groupWrote) commits += 1;
    for (const answer of answers) answer();
  };

  const performAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      // What arrives in this turn of the event loop joins, and as long as more arrives the next turn's too; no timer, so a
      // lone work does not wait.
      for (let before = 0; before < waiting.length && waiting.length < MAX_GROUP;) {
        before = waiting.length;
        await turn();
      }
      await perform(waiting.splice(0, MAX_GROUP));
    }
    busy = undefined;
  };

  return {
    run: <Answer>(work: (session: Session) => Promise<Answer>, terms: Terms<Answer> = {}) =>
      new Promise<Answer>((resolve, reject) => {
        waiting.push({
          work,
          terms: terms as Terms<unknown>,
          patientUntil: time.now() + patience,
          resolve: resolve as (answer: unknown) => void,
          reject,
          hasBegun: false,
        });
        busy ??= performAll();
      }),
    commits: () => commits,
    idle: async () => busy,
  };
}
