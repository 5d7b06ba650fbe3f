import { DAY, HOUR } from '@slipstream/domain';
import { type Play, PASSWORD, type Step, signsUp } from '../play.js';

const of = (play: Play, label: string) => ({ strategy_id: play.idOf('strategy', label) });
const signsIn = (play: Play, more: object = {}, agent = 'one') =>
  play.attempt(
    'nobody',
    'newSession',
    { email: 'second@example.com', password: PASSWORD, ...more },
    { 'user-agent': agent },
  );
const codeOf = (play: Play): string =>
  `${play.totpSecret}:${Math.floor(play.server.clock.now() / 30_000)}`;

/** A second owner with a second factor, and what may happen once an hour or once a minute. */
const second: Step = async (play) => {
  await play.server.quotes(play.prices);
  await signsUp(play, 'second');
  await play.attempt('second', 'newEmailConfirmation');
  const { secret } = await play.does('second', 'newTotp', { password: PASSWORD });
  play.totpSecret = secret;
  await play.does('second', 'updateUserNotifications', { notifications: ['like', 'subscription'] });
  const posted = await play.does('second', 'newPost', { text: 'Mine' });
  play.knows('post', 'of the second', posted.post_id);
  await play.attempt('stranger', 'newLike', { post_id: posted.post_id });
  await play.attempt('stranger', 'deleteLike', { post_id: posted.post_id });
};

const secondAgain: Step = async (play) => {
  await play.server.quotes(play.prices);
  await play.attempt('second', 'newEmailConfirmation');
  await play.attempt('second', 'confirmTotp', { totp: codeOf(play) });
  await play.attempt('stranger', 'newLike', { post_id: play.idOf('post', 'of the second') });
};

/** A code is used once, and a device is known. */
const codes: Step = async (play) => {
  await play.server.quotes(play.prices);
  await signsIn(play, { totp: codeOf(play) });
  await play.passes(DAY, play.prices);
  await signsIn(play, { totp: codeOf(play) }, 'two');
};
const codesAgain: Step = async (play) => {
  await play.server.quotes(play.prices);
  await signsIn(play, { totp: codeOf(play) }, 'two');
  await signsIn(play);
  await play.passes(61_000, play.prices);
  await signsIn(play, { totp: codeOf(play) }, 'two');
  await play.passes(61_000, play.prices);
};

/** Quotes that are late, of the future, and wrong. */
const oddQuotes: Step = async (play) => {
  const now = play.server.clock.now();
  const quote = (stock_id: string, price: number, at: number) => ({
    ...{ stock_id, bid: price, ask: price, last: price, at: new Date(at).toISOString() },
  });
  await play.attempt('operator', 'newQuotes', {
    quotes: [
      quote('IBM:NYSE', 101, now - 2000),
      quote('MSFT:NASDAQ', 401, now + 3000),
      quote('AAPL:NASDAQ', 67, now - 10 * 60_000),
      quote('GOOG:NASDAQ', 100, now),
    ],
  });
};
const lateQuotes: Step = async (play) => {
  await oddQuotes(play);
  await play.passes(61_000, play.prices);
};

/** A night: orders, allocations and alerts that wait for the session. */
const evening: Step = async (play) => {
  await play.passes(5 * HOUR, play.prices);
  await play.attempt('owner', 'newOrder', {
    ...of(play, 'Free'),
    ...{ stock_id: 'MSFT:NASDAQ', action: 'buy', amount: '0.0002' },
  });
  await play.attempt('owner', 'newOrderAllocations', {
    ...of(play, 'Paid'),
    allocations: [{ stock_id: 'IBM:NYSE', percent: 0.5 }],
  });
  await play.attempt('owner', 'newOrderWebhook', {
    ...of(play, 'Paid'),
    ...{ stock_id: 'MSFT:NASDAQ', action: 'buy', leverage: 0.3 },
  });
  await play.passes(61_000, play.prices);
};
const night: Step = (play) => play.passes(6 * HOUR);
const morning: Step = async (play) => {
  await play.passes(12 * HOUR, play.prices);
  await play.passes(61_000, play.prices);
};

/** The directory changes: a new stock, another symbol, and one that is delisted without a price yet. */
const directory: Step = async (play) => {
  await play.server.quotes(play.prices);
  const stocks = await play.does('owner', 'getStocks', { stock_id: ['IBM:NYSE'] });
  await play.does('operator', 'updateStocks', {
    stocks: [
      { stock_id: stocks[0]?.stock_id, symbol: 'BIG', stock: 'Big Blue' },
      { stock_id: 'MSFT:NASDAQ', stock_status: 'delisted' },
    ],
  });
  play.prices = { 'AAPL:NASDAQ': 66, 'BIG:NYSE': 100 };
  await play.passes(61_000, play.prices);
};
const settled: Step = async (play) => {
  await play.server.quotes(play.prices);
  await play.attempt('operator', 'updateStocks', {
    stocks: [{ stock_id: 'MSFT:NASDAQ', stock_status: 'delisted', settle_price: 390 }],
  });
  await play.passes(61_000, play.prices);
};

/** A fall, so that limits of losses are breached, and a strategy comes below zero. */
const fall: Step = async (play) => {
  await play.server.quotes(play.prices);
  await play.attempt('owner', 'newOrderAllocations', {
    ...of(play, 'Shut'),
    allocations: [{ stock_id: 'AAPL:NASDAQ', percent: -1 }],
  });
  await play.passes(61_000, play.prices);
  // A restart may lose up to a minute of the count (docs/behaviour.md), so that nobody restarts amid it.
  play.prices = { ...play.prices, 'AAPL:NASDAQ': 180 };
  for (let minute = 0; minute < 18; minute += 1) await play.passes(60_000, play.prices);
};
const undone: Step = async (play) => {
  await play.server.quotes(play.prices);
  await play.attempt('operator', 'undoStrategyEnd', of(play, 'Shut'));
  play.prices = { ...play.prices, 'AAPL:NASDAQ': 66 };
  await play.server.quotes(play.prices);
  await play.attempt('follower', 'resetBot', {
    bot_id: play.idOf('bot', 'limited'),
    acknowledge_breach: true,
  });
  await play.passes(61_000, play.prices);
};

/** Ends: of a subscription, a bot, a strategy with followers who pay, and a user. */
const ends: Step = async (play) => {
  await play.server.quotes(play.prices);
  await play.attempt('payer', 'deleteStrategySubscription', of(play, 'Paid'));
  await play.attempt('owner', 'deleteStrategySubscription', {
    ...of(play, 'Shut'),
    user_id: play.idOf('user', 'follower'),
  });
  await play.attempt('follower', 'deleteBot', { bot_id: play.idOf('bot', 'dry') });
  await play.attempt('owner', 'deleteStrategy', of(play, 'Paid'));
  await play.passes(61_000, play.prices);
};
const after: Step = async (play) => {
  await play.passes(61_000, play.prices);
  await play.passes(DAY, play.prices);
  await play.attempt('operator', 'newAnchor');
};

/** What happens rarely, and ends. */
export const ODDITIES: Readonly<Record<string, Step>> = {
  second,
  'the second again': secondAgain,
  'odd quotes': oddQuotes,
  'late quotes': lateQuotes,
  directory,
  settled,
  ends,
};

/** The same, with days, a night and a fall before the ends. */
export const LONG_ODDITIES: Readonly<Record<string, Step>> = {
  ...{ second, 'the second again': secondAgain, codes, 'codes again': codesAgain },
  ...{ 'odd quotes': oddQuotes, 'late quotes': lateQuotes },
  ...{ evening, night, morning, directory, settled, fall, undone, ends, after },
};
