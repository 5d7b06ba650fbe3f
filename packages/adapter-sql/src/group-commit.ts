import { setTimeout as delay } from 'node:timers/promises';
import { StorageUnavailable } from '@slipstream/ports';
import type { BookCache } from './book-cache.js';
import type { Connection } from './connection.js';
import { isLocked, isStorageFailure } from './failures.js';
import { type Session, openSession } from './session.js';

/** Bounds how long one group keeps the event loop. */
const MAX_GROUP = 256;

/** Between two tries to get the write lock, in milliseconds. */
const RETRY_AFTER = { least: 5, most: 40 };

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface Asked {
  readonly work: (session: Session) => Promise<unknown>;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
}

export interface GroupCommit {
  /** Resolves after the commit of the group that the work became part of. */
  run<Answer>(work: (session: Session) => Promise<Answer>): Promise<Answer>;
  /** Commits so far that wrote something: it changes exactly when what readers can see does. */
  commits(): number;
  /** Resolves when nothing waits any more. */
  idle(): Promise<void>;
}

/**
 * Works that arrive together run one after another in one transaction: one fsync for all of them, answers after it.
 * One that throws after it wrote takes the group back; then each work of the group runs again in its own transaction.
 */
export function groupCommit(
  connection: Connection,
  books: BookCache,
  patience: number,
  turn: () => Promise<void> = nextTurn,
): GroupCommit {
  const { handle } = connection;
  const waiting: Asked[] = [];
  let busy: Promise<void> | undefined;
  let commits = 0;

  const rollback = (): void => {
    if (handle.inTransaction) connection.statement('ROLLBACK').run();
  };

  const begin = async (): Promise<void> => {
    const deadline = performance.now() + patience;
    for (;;) {
      try {
        rollback();
        connection.statement('BEGIN IMMEDIATE').run();
        return;
      } catch (error) {
        if (!isLocked(error) || performance.now() >= deadline) throw error;
      }
      await delay(RETRY_AFTER.least + Math.random() * (RETRY_AFTER.most - RETRY_AFTER.least));
    }
  };

  const perform = async (group: readonly Asked[]): Promise<void> => {
    const own = books.openGroup();
    const takeBack = (): void => {
      own.forget();
      try {
        rollback();
      } catch {
        // The next group begins with it, and is told when it fails again.
      }
    };
    const giveUp = (cause: unknown): void => {
      const error = new StorageUnavailable('the database could not be written', { cause });
      takeBack();
      for (const { reject } of group) reject(error);
    };
    try {
      await begin();
    } catch (error) {
      return giveUp(error);
    }

    const answers: (() => void)[] = [];
    let groupWrote = false;
    for (const { work, resolve, reject } of group) {
      const session = openSession(connection, own);
      try {
        const answer = await work(session);
        const failure = session.failure();
        if (failure) throw failure;
        answers.push(() => resolve(answer));
      } catch (error) {
        if (isStorageFailure(session.failure()) || !handle.inTransaction)
          return giveUp(session.failure() ?? error);
        if (session.wrote()) {
          takeBack();
          if (group.length === 1) return reject(error);
          for (const asked of group) await perform([asked]);
          return;
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
      // What arrives in this turn of the event loop joins; no timer, so a lone work does not wait.
      await turn();
      await perform(waiting.splice(0, MAX_GROUP));
    }
    busy = undefined;
  };

  return {
    run: <Answer>(work: (session: Session) => Promise<Answer>) =>
      new Promise<Answer>((resolve, reject) => {
        waiting.push({ work, resolve: resolve as (answer: unknown) => void, reject });
        busy ??= performAll();
      }),
    commits: () => commits,
    idle: async () => busy,
  };
}
