import { type Quote, ZERO, decimal, id, isUsable, sum } from '@slipstream/domain';
import { hundredths } from './hundredths.js';
import { type CommandContext, acknowledge, requireExisting } from './context.js';
import { awaitsSplit } from '../invariants/announced.js';
import { stockAt, stockStatus } from '../world/places.js';
import { quoteOf } from '../world/quotes.js';
import { isInOrder } from '../world/true-market.js';
import type { OperatorCommand, QuoteMove } from '../story/story.js';
import type { BotOrderRow, BotRow } from '../world/rows.js';

const OPERATOR = { kind: 'operator' } as const;
/** Between a split and what was before it. */
const MOMENT = 1;

/** Puts quotes into the true market, which the broker sees at once, and sends them to the core. */
async function newQuotes(context: CommandContext, moves: readonly QuoteMove[]): Promise<void> {
  const { world, memory, process, application } = context;
  const quotes: Quote[] = [];
  for (const move of moves) {
    const quote = quoteOf(world, move);
    quotes.push(quote);
    world.market.put(quote);
    world.reach(`quote: ${move.kind}`);
  }
  const hidden = new Set(
    quotes.filter(
      ({ stockId, at }) => process.hidesQuotesOf(stockId) || awaitsSplit(world, stockId, at),
    ),
  );
  const report = application.operations.newQuotes(OPERATOR, {
    quotes: quotes.map(({ stockId, ...figures }) => ({ stock: stockId, ...figures })),
  });
  // The core knows them as soon as it gets them, before an order meets them.
  const known = memory.knownQuotes;
  let refused = 0;
  for (const quote of quotes) {
    const now = world.clock.now();
    const isTimely = quote.at <= now && isInOrder(quote, known.get(quote.stockId), now);
    const isOfOldShares = world.market.isOfOldShares(quote);
    const stands = isUsable(quote) && isTimely && !isOfOldShares && !hidden.has(quote);
    if (stands) known.set(quote.stockId, quote);
    else refused += 1;
  }
  const { rejected } = await report;
  if (rejected.length !== refused) {
    world.violate('quotes', `${refused} quotes could not stand, ${rejected.length} were rejected`);
  }
}

/** Enters the oldest split that only a broker has. */
async function followSplit(context: CommandContext): Promise<void> {
  const { broker } = context.world;
  const [first] = broker.name === 'alpaca_paper' ? broker.ahead() : [];
  const { stockId, ratio } = requireExisting(first);
  context.world.clock.advance(MOMENT);
  await context.application.operations.newStockAction(OPERATOR, {
    stock: stockId,
    kind: 'split',
    ratio: { newShares: ratio, oldShares: decimal('1') },
  });
}

/** The new symbol, and the old one again after that. */
const otherSymbol = (symbol: string): string =>
  symbol.endsWith('X') ? symbol.slice(0, -1) : `${symbol}X`;

/** Whether each bot knows what its owner did to the stock; it will know the fills of its orders. */
const isRead = ({ database, broker }: CommandContext['world'], stockId: string): boolean =>
  database.rows<BotRow>('SELECT * FROM bots').every(({ id: botId, account_id, held_parts }) => {
    const known = (JSON.parse(held_parts) as [string, string, string][]).find(
      ([name]) => name === stockId,
    );
    const [, kept = '0', own = '0'] = known ?? [];
    const account = broker.account(account_id);
    const sql = 'SELECT * FROM bot_orders WHERE bot_id = ?';
    const stored = new Map(database.rows<BotOrderRow>(sql, botId).map((row) => [row.id, row]));
    const unknown = (account?.orders ?? [])
      .filter((order) => order.stockId === stockId)
      .map(({ clientOrderId, filledAmount, action }) => {
        const more = decimal(filledAmount).minus(stored.get(clientOrderId)?.filled_amount ?? '0');
        return action === 'buy' ? more : ZERO.minus(more);
      });
    return sum([decimal(kept), decimal(own), ...unknown]).eq(account?.amounts[stockId] ?? '0');
  });

/** Gives a stock its other symbol on one side; if one side has it already, on the other. */
async function rename(
  { world, application }: CommandContext,
  { stock: place, side }: Extract<OperatorCommand, { do: 'rename' }>,
): Promise<void> {
  const { broker, database } = world;
  if (broker.name !== 'alpaca_paper') return;
  const { id: stockId } = stockAt(world, place, 'stock');
  const [here] = database.rows<{ symbol: string }>(
    'SELECT symbol FROM stocks WHERE id = ?',
    stockId,
  );
  const there = broker.symbolOf(stockId);
  if (!here || stockStatus(world, stockId) === 'delisted') return;
  const isFirst = here.symbol === there;
  // A holding that changed since it was last read could not be recognized under another name.
  if (isFirst && !isRead(world, stockId)) return;
  // Where a crash left the service with the old one, it is still the next one.
  const symbol = (!isFirst && broker.renamed.get(stockId)) || otherSymbol(here.symbol);
  broker.renamed.set(stockId, symbol);
  if (isFirst ? side === 'broker' : there !== symbol) return broker.rename(stockId, symbol);
  const change = { stockId: id<'stock'>(stockId), symbol, stock: symbol };
  await application.operations.updateStocks(OPERATOR, { stocks: [change] });
}

/** Performs the operator's quotes, halts and corporate actions. */
export async function performOperator(
  context: CommandContext,
  command: OperatorCommand,
): Promise<void> {
  const { world, application } = context;
  if (command.do === 'newQuotes') return newQuotes(context, command.quotes);
  if (command.do === 'followSplit') return followSplit(context);
  if (command.do === 'rename') return rename(context, command);
  const { id: stockId, quote } = stockAt(world, command.stock);
  if (stockStatus(world, stockId) === 'delisted') return;
  switch (command.do) {
    case 'updateStocks': {
      const change = { stockId, stockStatus: command.status };
      await application.operations.updateStocks(OPERATOR, { stocks: [change] });
      return;
    }
    case 'split':
    case 'dividend': {
      if (command.do === 'split' && world.broker.name === 'alpaca_paper') {
        // One split of a stock at a time.
        if (world.broker.isBetween(stockId)) return;
        if (command.broker === 'before')
          return world.broker.splitsFirst(stockId, decimal(command.ratio));
        if (command.broker === 'after') {
          // Beside a trade that no bot has read, as many shares as before could not be recognized.
          if (!isRead(world, stockId)) return;
          world.broker.splitsLast(stockId);
        }
        world.clock.advance(MOMENT);
      }
      const given =
        command.do === 'split'
          ? {
              kind: 'split' as const,
              ratio: { newShares: decimal(command.ratio), oldShares: decimal('1') },
            }
          : {
              kind: 'cash_dividend' as const,
              amount: quote.last.times(hundredths(command.percent)).round(4),
            };
      const action = await application.operations.newStockAction(OPERATOR, {
        stock: stockId,
        ...given,
      });
      const sql = "SELECT id FROM stock_actions WHERE id = ? AND status = 'done'";
      return acknowledge(context, `${given.kind} ${action.id} was done`, sql, action.id);
    }
    case 'delist': {
      const settlePrice = quote.last.times(hundredths(command.percent)).round(4);
      const change = {
        stockId: id<'stock'>(stockId),
        stockStatus: 'delisted',
        settlePrice,
      } as const;
      await application.operations.updateStocks(OPERATOR, { stocks: [change] });
      const sql =
        "SELECT id FROM stock_actions WHERE stock_id = ? AND kind = 'delisting' AND status = 'done'";
      return acknowledge(context, `${stockId} was delisted`, sql, stockId);
    }
  }
}
