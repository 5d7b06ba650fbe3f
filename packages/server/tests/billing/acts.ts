import { type Answer } from '../helpers/call.js';
import { OPERATOR_TOKEN } from '../helpers/composed-server.js';
import { takenOf } from './bank.js';
import { gone, isOldEnough, mayEnd, ruin } from './ends.js';
import { DAY, MINUTE, type Sold } from './deals.js';
import {
  type Account,
  type Dice,
  OWNERS,
  PASSWORD,
  type World,
  card,
  join,
  sell,
} from './world.js';

export const ACTS = [
  ...['follow', 'follow', 'follow', 'follow', 'leave', 'retry', 'card', 'card fails', 'card works'],
  ...[
    'price',
    'dispute',
    'dispute',
    'win',
    'lose',
    'give back',
    'withdraw',
    'withdraw',
    'take back',
  ],
  ...['trouble', 'trouble', 'down', 'up', 'up', 'close', 'delete strategy', 'exclude', 'ruin'],
  ...['undo', 'delete user', 'days', 'days', 'days', 'brink', 'brink', 'brink', 'stop', 'stop'],
  'hours',
] as const;
export type Act = (typeof ACTS)[number];

const refused = ({ status }: Answer): boolean => status === 400;
const codeOf = ({ status, headers, text }: Answer): string =>
  status === 200 ? 'ok' : `${headers.get('x-error-code')} ${text}`;

/** Whether the answer is the expected one. */
function expectAnswer({ ledger }: World, title: string, answer: Answer, isOk: boolean): boolean {
  if (refused(answer) === isOk) ledger.wrong.push(`${title}: ${codeOf(answer)}`);
  return !refused(answer);
}

const pick = <Item>(items: readonly Item[], roll: Dice): Item | undefined =>
  items[roll(Math.max(1, items.length))];

export async function perform(world: World, act: Act, roll: Dice): Promise<void> {
  const { server, clock, bank, ledger, people, sold } = world;
  const now = clock.now();
  const person = pick(people, roll) as Account;
  const live = sold.filter(({ isDeleted }) => !isDeleted);
  const strategy = pick(live, roll) as Sold;
  const owner = people.find(({ name }) => name === strategy.owner) as Account;
  const charge = pick([...bank.charges.values()], roll);
  const note = (text: string) => void world.acts.push(`${new Date(now).toISOString()} ${text}`);
  note(`${act} ${person.name} ${strategy.name}`);
  const notice = async (ref: string): Promise<void> => {
    bank.troubles.splice(0);
    const { status } = await server.call('POST', '/stripe', { body: ref });
    if (status !== 200) throw new Error(`notice: ${status}`);
    world.hear();
  };
  switch (act) {
    case 'follow': {
      const { name, token } = person;
      const current = ledger.current(name, strategy);
      const isResumed = current?.status === 'active' && (current.endsAt ?? 0) > now;
      const isOk =
        name !== strategy.owner && !strategy.isOver && (current === undefined || isResumed);
      if (isOk) ledger.follow(name, strategy, now);
      const price = current?.price ?? strategy.price;
      const fields = { strategy_id: strategy.id, price };
      const answer = await server.attempt('newStrategySubscription', fields, token);
      expectAnswer(world, `${name} follows ${strategy.name}`, answer, isOk);
      return world.hear();
    }
    case 'leave': {
      const current = ledger.current(person.name, strategy);
      const fields = { strategy_id: strategy.id };
      const answer = await server.attempt('deleteStrategySubscription', fields, person.token);
      if (current) ledger.leave(current, now);
      const title = `${person.name} leaves ${strategy.name}`;
      expectAnswer(world, title, answer, current !== undefined);
      return undefined;
    }
    case 'retry': {
      const failed = await server.ask('getInvoices', { status: 'failed' }, person.token);
      const open = failed.filter(({ retryable }) => retryable);
      const invoice = pick(open, roll);
      if (!invoice) return undefined;
      for (const deal of ledger.deals) {
        const month = deal.months.at(-1);
        const title = `${deal.strategy.name}, month ${month?.number}`;
        if (deal.payer === person.name && title === invoice.description && month?.dueAt)
          month.dueAt = now;
      }
      ledger.tick(now);
      const { invoice_id } = invoice;
      expectAnswer(
        world,
        `retry ${invoice.description}`,
        await server.attempt('retryInvoice', { invoice_id }, person.token),
        true,
      );
      return world.hear();
    }
    case 'card':
      if (ledger.cards.size > 90) return undefined;
      return card(world, person, ledger.cards.size).catch(() => undefined);
    case 'card fails':
      bank.failing.add(ledger.primary.get(person.name) ?? '');
      return undefined;
    case 'card works':
      bank.failing.delete(ledger.primary.get(person.name) ?? '');
      return undefined;
    case 'price': {
      if (strategy.isOver) return undefined;
      const price = [0, 1, 7, 19, 33, 100][roll(6)] ?? 1;
      await server.ask('updateStrategy', { strategy_id: strategy.id, price }, owner.token);
      strategy.price = price;
      return undefined;
    }
    case 'dispute': {
      if (bank.state.isDown || !charge || charge.dispute !== 'none') return undefined;
      const free = charge.cents - charge.refunded;
      if (free <= 0) return undefined;
      charge.dispute = 'open';
      charge.disputed = roll(2) === 0 ? charge.cents : 1 + roll(free);
      return notice(charge.ref);
    }
    case 'win':
    case 'lose': {
      const open = pick(
        [...bank.charges.values()].filter(({ dispute }) => dispute === 'open'),
        roll,
      );
      if (bank.state.isDown || !open) return undefined;
      open.dispute = act === 'win' ? 'won' : 'lost';
      return notice(open.ref);
    }
    case 'give back': {
      if (bank.state.isDown || !charge || takenOf(charge) > 0) return undefined;
      const free = charge.cents - charge.refunded;
      if (free <= 0) return undefined;
      charge.refunded += roll(3) === 0 ? free : 1 + roll(free);
      return notice(charge.ref);
    }
    case 'withdraw': {
      const { settled, balance } = ledger.earnings(owner.name, now);
      const most = Math.max(0, Math.min(settled, balance));
      const cents = roll(4) === 0 ? most + 1 : Math.max(1, roll(2) === 0 ? most : roll(most + 1));
      const amount = (cents / 100).toFixed(2);
      const fields = { amount, password: PASSWORD };
      const answer = await server.attempt('newWithdrawal', fields, owner.token);
      const isAllowed = cents <= most && (await isOldEnough(world, owner));
      if (!expectAnswer(world, `withdraw ${amount} of ${most}`, answer, isAllowed))
        return undefined;
      const { withdrawal_id: id } = answer.body?.response as { withdrawal_id: string };
      const dueAt = now + 3_600_000;
      ledger.outs.push({ id, owner: owner.name, cents, dueAt, status: 'pending' });
      return undefined;
    }
    case 'take back': {
      const out = pick(
        ledger.outs.filter((one) => one.owner === owner.name),
        roll,
      );
      if (!out) return undefined;
      const answer = await server.attempt(
        'deleteWithdrawal',
        { withdrawal_id: out.id },
        owner.token,
      );
      const isOk = out.status === 'pending';
      if (isOk) out.status = 'cancelled';
      expectAnswer(world, `take back ${out.id}`, answer, isOk);
      return undefined;
    }
    case 'trouble':
      bank.troubles.push((['lost_request', 'lost_answer', 'no'] as const)[roll(3)] ?? 'no');
      return undefined;
    case 'down':
      bank.state.isDown = true;
      return undefined;
    case 'up':
      bank.state.isDown = false;
      return undefined;
    case 'close':
      bank.state.isClosed = roll(2) === 0;
      return undefined;
    case 'delete strategy': {
      const answer = await server.attempt(
        'deleteStrategy',
        { strategy_id: strategy.id },
        owner.token,
      );
      const isOk = mayEnd(
        world,
        strategy,
        ledger.deals.filter((one) => one.strategy === strategy),
      );
      if (!expectAnswer(world, `delete ${strategy.name}`, answer, isOk)) return undefined;
      gone(world, strategy, now);
      return sell(world, people.indexOf(owner), 1 + roll(60), strategy.isPrivate);
    }
    case 'exclude': {
      const deal = ledger.current(person.name, strategy);
      if (!deal || !strategy.isPrivate) return undefined;
      const fields = { strategy_id: strategy.id, user_id: person.userId };
      const isOk = mayEnd(world, strategy, [deal]);
      const answer = await server.attempt('deleteStrategySubscription', fields, owner.token);
      if (!expectAnswer(world, `exclude ${person.name}`, answer, isOk)) return undefined;
      ledger.end(deal, now, true);
      const invited = people.map(({ userId }) => userId);
      const fieldsAgain = { strategy_id: strategy.id, invited_user_ids: invited };
      if (!strategy.isOver) await server.ask('updateStrategy', fieldsAgain, owner.token);
      return undefined;
    }
    case 'ruin':
      if (strategy.isOver) return undefined;
      return ruin(world, strategy, owner);
    case 'undo': {
      const over = sold.find(({ isOver, isDeleted }) => isOver && !isDeleted);
      if (!over) return undefined;
      const answer = await server.attempt(
        'undoStrategyEnd',
        { strategy_id: over.id },
        OPERATOR_TOKEN,
      );
      if (!refused(answer)) over.isOver = false;
      return undefined;
    }
    case 'delete user': {
      const { name, token } = person;
      const { balance } = ledger.earnings(name, now);
      const isBusy = ledger.outs.some(
        (one) => one.owner === name && ['pending', 'processing'].includes(one.status),
      );
      const answer = await server.attempt('deleteUser', { password: PASSWORD }, token);
      if (!expectAnswer(world, `delete ${name} at ${balance}`, answer, balance === 0 && !isBusy))
        return undefined;
      for (const one of live.filter((mine) => mine.owner === name)) gone(world, one, now);
      for (const deal of ledger.deals)
        if (deal.payer === name && deal.status !== 'cancelled') ledger.end(deal, now, false);
      ledger.gone.add(name);
      const place = people.indexOf(person);
      people[place] = await join(world, place, world.acts.length);
      for (const one of live.filter(({ isPrivate, isDeleted }) => isPrivate && !isDeleted)) {
        const whose = people.find((any) => any.name === one.owner) as Account;
        const invited = people.map(({ userId }) => userId);
        const fields = { strategy_id: one.id, invited_user_ids: invited };
        if (!one.isOver) await server.ask('updateStrategy', fields, whose.token);
      }
      if (place >= OWNERS) return undefined;
      for (const isPrivate of [false, true]) await sell(world, place, 1 + roll(60), isPrivate);
      return undefined;
    }
    case 'days':
      for (let days = 1 + roll(12); days > 0; days -= 1) {
        clock.advance(DAY);
        await world.run();
      }
      return undefined;
    case 'brink': {
      // The next comparison comes less than a minute before something is due, the one after it is after that.
      const next = Math.min(...ledger.moments().filter((at) => at > now + 4 * MINUTE));
      if (next === Infinity) return undefined;
      clock.advance(next - 4 * MINUTE - now);
      return world.run();
    }
    case 'hours':
      clock.advance((1 + roll(30)) * 3_600_000 + 1);
      return world.run();
    case 'stop': {
      const days = [1, 3, 10, 15, 17, 31, 45, 80][roll(8)] ?? 1;
      note(`stop of ${days} days`);
      clock.advance(days * DAY);
      return world.run();
    }
  }
}
