import type { BookState, BooksState } from '../run/memory.js';
import type { Outcome } from '../run/outcome.js';
import type { Step } from '../story/story.js';
import { strategyAt } from '../world/places.js';
import type { Run } from '../run/run.js';
import type { World } from '../world/world.js';
import { stillKept } from './keys.js';
import type { BookRow, OrderRow } from '../world/rows.js';

/** All books, read again only after one was written. */
export const stateOf = ({ world, memory }: Run): BooksState => (memory.state ??= readState(world));

function readState(world: World): BooksState {
  const { database } = world;
  return new Map(
    database.rows<BookRow>('SELECT * FROM books ORDER BY strategy_id').map((book) => {
      const of = (table: string, by: string): unknown[] =>
        database.rows(
          `SELECT * FROM ${table} WHERE strategy_id = ? ORDER BY ${by}`,
          book.strategy_id,
        );
      const orders = of('orders', 'place') as OrderRow[];
      const rows = [book, of('positions', 'stock_id'), orders, of('trades', 'id')];
      return [
        book.strategy_id,
        {
          version: book.version,
          rows: JSON.stringify(rows),
          open: orders.filter((order) => order.status === 'open').map((order) => order.id),
          orders: orders.length,
          adjustments: of('adjustments', 'id').length,
        },
      ];
    }),
  );
}

const ON_BOOKS = ['newOrder', 'newOrderAllocations', 'newOrderWebhook', 'sendAgain', 'deleteOrder'];

/** Work in the background, which may change a book for each stock. */
const OF_THE_HOST = ['tick', 'announce', 'followMarket'];

/**
 * The most changes that the step's commands may make to one book: one for each command, and one for each quote, retry or end
 * of a halt (contract 7b.7).
 */
function mostChanges({ world, memory }: Run, step: Step): number {
  const ofCommands = step.commands.reduce((most, command) => {
    if (command.do === 'newQuotes') return most + command.quotes.length;
    if (OF_THE_HOST.includes(command.do)) return most + 100;
    if (command.do === 'linger') return most + 100 * command.rounds;
    if (command.do === 'updateStocks') return most + 1;
    if (command.key !== undefined) return most;
    return most + (ON_BOOKS.includes(command.do) || command.do === 'deleteStrategy' ? 1 : 0);
  }, 0);
  const { sent } = memory.keys;
  const requests = new Set(
    sent.filter(({ found }) => !stillKept(world, found)).map(({ name }) => name),
  );
  // A dividend halts its stock until all are paid, perhaps with the next action.
  return ofCommands + memory.dividendsPaid + requests.size;
}

/** O7: a batch and its cancellations take effect completely or not at all. */
function checkBatch(world: World, before: BookState, after: BookState): void {
  const cancelled = before.open.filter((orderId) => !after.open.includes(orderId));
  if (after.version === before.version + 1 && cancelled.length < before.open.length) {
    world.violate('O7', 'a batch is there and not all that was open is closed');
  }
}

/** Checks the changes of a step against its answers. */
export function checkStep(
  run: Run,
  step: Step,
  outcomes: readonly Outcome[],
  before: BooksState,
): void {
  const { world, memory } = run;
  const after = stateOf(run);
  if (after === before) return checkQuiet(run);
  const most = mostChanges(run, step);
  const [only, second] = outcomes;
  for (const [strategyId, now] of after) {
    const then = before.get(strategyId);
    if (!then) continue;
    const changes = now.version - then.version;
    const ofActions = now.adjustments - then.adjustments;
    const isBehind = memory.behind.has(strategyId);
    // After a split, waiting orders meet the quote in new shares. A book that is behind is matched before the command.
    if (changes > most + 2 * ofActions + (isBehind ? 1 : 0)) {
      world.violate('O8', `${strategyId} changed ${changes} times by ${most} commands`);
    }
    if (changes === 0 && now.rows !== then.rows) {
      world.violate('O8', `${strategyId} changed and its version did not`);
    }
    // A corporate action is booked beside what the book has not been matched with.
    if (isBehind && changes > ofActions && memory.errors.length === 0)
      memory.behind.delete(strategyId);
    if (!only || second || ofActions > 0 || isBehind || !ON_BOOKS.includes(only.command.do))
      continue;
    if ((only.kind === 'refused' || only.kind === 'failed') && now.rows !== then.rows) {
      world.violate('O7', `${only.command.do} was ${only.kind} and ${strategyId} changed`);
    }
    if (!('strategy' in only.command)) continue;
    const isNamed = strategyAt(world, only.command.strategy)?.id === strategyId;
    if (!isNamed && now.rows !== then.rows) {
      world.violate('O8', `${strategyId} changed by a command on another strategy`);
    }
    if (isNamed && only.command.do === 'newOrderAllocations') checkBatch(world, then, now);
  }
  checkQuiet(run);
}

/** Without a fault the core logs no error. */
function checkQuiet({ world, memory }: Run): void {
  if (world.faults.met() === 0 && memory.errors.length > 0) {
    world.violate('error', `without a fault the core logs: ${memory.errors[0]}`);
  }
}
