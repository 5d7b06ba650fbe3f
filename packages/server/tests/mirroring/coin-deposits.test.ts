import { expect, it } from '@jest/globals';
import { fixedClock } from '@slipstream/adapter-memory/testing';
import { decimal } from '@slipstream/domain';
import { coinScene } from '../helpers/coin-exchanges.js';
import { IN_SESSION } from '../helpers/composed-server.js';

const BTC = 'BTCUSD:COINBASE';

it.each([
  ['while its orders used up the questions', false],
  ['and looks at it all the time', true],
])('a bot at Kraken goes on after its owner paid money in %s', async (_, isWatched) => {
  const clock = fixedClock(IN_SESSION);
  const { standIn, account, credentials, open, close } = await coinScene('kraken', clock, {
    filling: 'by_hand',
  });
  standIn.addMarket({ coin: 'BTC', bid: '59990', ask: '60010' });
  const server = await open();
  try {
    const beats = async (count: number): Promise<void> => {
      for (let beat = 0; beat < count; beat += 1) {
        clock.advance(5_000);
        await server.quotes({ [BTC]: [59_990, 60_010] });
        await server.application.background.runBots();
        // As a page that shows the bot does.
        if (watched && beat % 2 === 0)
          await server.attempt('getBotAccount', { bot_id: watched.bot_id }, watched.user);
      }
    };
    let watched: { readonly bot_id: string; readonly user: string } | undefined;
    await beats(4);
    const user = await server.user('ada');
    const made = { type: 'cryptocurrency', name: 'Coins' };
    const { strategy_id } = await server.ask('newStrategy', made, user);
    const allocations = [{ stock_id: BTC, percent: 0.5 }];
    await server.ask('newOrderAllocations', { strategy_id, allocations }, user);
    const bot = {
      ...{ type: 'cryptocurrency', broker: 'kraken', credentials },
      allocations: [{ strategy_id, percent: 1 }],
    };
    const { bot_id } = await server.ask('newBot', bot, user);
    await server.ask('startBot', { bot_id, live: true }, user);
    if (isWatched) watched = { bot_id, user };
    await beats(12);
    standIn.move(account, 'USD', decimal('500'));
    standIn.fillAll(account);
    // What came in needs three questions more, which count double at Kraken.
    await beats(48);
    expect(account.orders.length).toBeGreaterThan(1);
  } finally {
    await server.close();
    await close();
  }
});
