import { type CommandContext, requireExisting } from './context.js';
import { send } from './with-idempotency-key.js';
import { performAlert } from './alert.js';
import { performBot } from './bot.js';
import { performFigures } from './figures.js';
import { performMoney } from './money.js';
import { performOperator } from './operator.js';
import { performPeople } from './people.js';
import { performStream } from './stream.js';
import { performTrade } from './trade.js';
import type { Command } from '../story/story.js';
import { crash } from '../run/run.js';
import { stockAt, stockStatus } from '../world/places.js';
import { STOCKS } from '../world/stocks.js';

/** Performs one command as a caller would. It has no result, because the invariants read the tables. */
export async function perform(context: CommandContext, command: Command): Promise<void> {
  const { world, process, application } = context;
  switch (command.do) {
    case 'newOrder':
    case 'newOrderAllocations':
    case 'deleteOrder':
      return performTrade(context, command);
    case 'newOrderWebhook':
    case 'sendAgain':
      return performAlert(context, command);
    case 'newStrategy':
    case 'updateStrategy':
    case 'deleteStrategy':
    case 'subscribe':
    case 'unsubscribe':
    case 'read':
      return performPeople(context, command);
    case 'listen':
    case 'deleteToken':
    case 'stall':
    case 'catchUp':
      return performStream(context, command);
    case 'newQuotes':
    case 'updateStocks':
    case 'split':
    case 'followSplit':
    case 'rename':
    case 'dividend':
    case 'delist':
      return performOperator(context, command);
    case 'setPrice':
    case 'newPaymentSource':
    case 'retryInvoice':
    case 'newWithdrawal':
    case 'deleteWithdrawal':
    case 'deletePaymentSource':
    case 'exclude':
    case 'deleteUser':
    case 'refundElsewhere':
      return performMoney(context, command);
    case 'repeat':
      return repeat(context, command);
    case 'tick':
      await application.background.tick();
      return application.background.makeAnchors();
    case 'runBots':
      return application.background.runBots();
    case 'announce': {
      const { stock, quote } = stockAt(world, command.stock, 'stock');
      if (stockStatus(world, stock.id) !== 'delisted') world.announcements.announce(command, quote);
      return application.background.followMarket();
    }
    case 'followMarket':
      return application.background.followMarket();
    case 'measureOwnerTrades':
    case 'getOverview':
      return performFigures(context, command);
    case 'runBilling':
      return application.background.runBilling();
    case 'crash':
      return crash(context, 'as told');
    case 'advance':
      world.clock.advance(command.seconds * 1000);
      return process.timers.ring();
    case 'setBack':
      world.setBackBy += command.seconds * 1000;
      return world.clock.advance(command.seconds * -1000);
    case 'linger':
      return linger(context, command.rounds);
    case 'advanceTo':
      return advanceTo(context, command.moment);
    default:
      return performBot(context, command);
  }
}

/** Sends a request under its key again, with the same or another body. */
async function repeat(
  context: CommandContext,
  { request: place, otherBody }: Extract<Command, { do: 'repeat' }>,
): Promise<void> {
  const { requests } = context.memory.keys;
  const request = requireExisting(
    requests[requests.length - 1 - (place % Math.max(1, requests.length))],
  );
  const body = otherBody ? `${request.body} ` : request.body;
  await send(context, context.application, { ...request, body });
}

const ROUND = 30;

/** Lets time pass with fresh quotes, so that a strategy at or below zero can end. */
async function linger(context: CommandContext, rounds: number): Promise<void> {
  const quotes = STOCKS.map((_, stock) => ({ stock, move: 0, kind: 'good' as const }));
  for (let round = 0; round < rounds; round += 1) {
    await perform(context, { do: 'advance', seconds: ROUND });
    await perform(context, { do: 'newQuotes', quotes });
    await perform(context, { do: 'tick' });
  }
}

const EVE = 20_000;

/** Sets the time to a second after the next opening or closing; the eve is shortly before the opening. */
function advanceTo(
  { world, process }: CommandContext,
  moment: 'eve' | 'opening' | 'closing',
): void {
  const stock = requireExisting(world.market.view().stock('AAPL' as never));
  const now = world.clock.now();
  const session = world.hours.sessionAt(stock, now);
  const next = world.hours.nextSession(stock, now);
  const at = moment === 'closing' ? (session ?? next)?.closesAt : next?.opensAt;
  world.clock.set(Math.max(now, (at ?? now) + (moment === 'eve' ? -EVE : 1000)));
  process.timers.ring();
}
