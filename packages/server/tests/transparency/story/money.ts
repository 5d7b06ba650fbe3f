import { DAY, HOUR } from '@slipstream/domain';
import { someDetails } from '../../../../wire/src/billing/examples.js';
import { PASSWORD, type Play, type Step, comes, signsUp } from '../play.js';

const card = (token: string) => ({ token, ...someDetails });

/** Everybody, with the strategies of one owner. */
const people: Step = async (play) => {
  await play.server.quotes(play.prices);
  await signsUp(play, 'owner');
  for (const name of ['payer', 'retried', 'charged back', 'confirming', 'declined', 'follower'])
    await comes(play, name.replaceAll(' ', '-'));
  await comes(play, 'stranger');
  const made = async (label: string, fields: object = {}): Promise<void> => {
    const given = { type: 'stock', name: label, ...fields };
    play.knows('strategy', label, (await play.does('owner', 'newStrategy', given)).strategy_id);
  };
  await made('Free', { categories: ['trend'], alert_watch: 2 });
  await made('Paid', { price: 15, input_value: 10_000 });
  await made('Shut', { private: true, invited_user_ids: [play.idOf('user', 'follower')] });
  for (const label of ['Free', 'Paid', 'Shut'])
    await play.does('owner', 'newOrder', {
      strategy_id: play.idOf('strategy', label),
      stock_id: 'IBM:NYSE',
      action: 'buy',
      amount: '0.001',
    });
  await play.passes(61_000, play.prices);
};

const subscribes = (play: Play, who: string, label: string, price = 0) =>
  play.attempt(who, 'newStrategySubscription', {
    strategy_id: play.idOf('strategy', label),
    ...(price > 0 && { price }),
    input_value: 1000,
  });

/** Cards of every kind, and the first month of each. */
const subscriptions: Step = async (play) => {
  const cards = {
    payer: 'test_card_paid',
    retried: 'test_card_retried',
    'charged-back': 'test_card_chargeback',
    confirming: 'test_card_confirm',
    declined: 'test_card_declined',
  };
  for (const [who, token] of Object.entries(cards)) {
    await play.does(who, 'newPaymentSource', card(token));
    await subscribes(play, who, 'Paid', 15);
  }
  await subscribes(play, 'follower', 'Free');
  await subscribes(play, 'follower', 'Shut');
  const bank = { ...card('test_bank'), direction: 'out', password: PASSWORD };
  await play.does('owner', 'newPaymentSource', bank);
  await play.passes(61_000, play.prices);
};

const days =
  (count: number): Step =>
  async (play) => {
    for (let day = 0; day < count; day += 1) await play.passes(DAY, play.prices);
  };

/** A follower who pays leaves, and the end of the month is waited for. */
const leaving: Step = async (play) => {
  await play.attempt('confirming', 'newStrategySubscription', {
    strategy_id: play.idOf('strategy', 'Paid'),
    price: 15,
  });
  await play.attempt('confirming', 'deleteStrategySubscription', {
    strategy_id: play.idOf('strategy', 'Paid'),
  });
  await play.passes(HOUR, play.prices);
};

/** Something is earned, and a part of it is on its way. */
const withdrawals: Step = async (play) => {
  const given = { amount: '10', password: PASSWORD };
  const first = await play.does('owner', 'newWithdrawal', given);
  play.knows('withdrawal', 'the first', first.withdrawal_id);
  await play.passes(61_000, play.prices);
};

/** Who pays whom, on the first day. */
export const MONEY: Readonly<Record<string, Step>> = {
  people,
  subscriptions,
  'a day': days(1),
  leaving,
};

/** The same, until what was earned is paid out. */
export const LONG_MONEY: Readonly<Record<string, Step>> = {
  ...{ people, subscriptions, 'three days': days(3), 'a week more': days(5), leaving },
  'the rest of a month': days(24),
  'ten days more': days(10),
  withdrawals,
};
