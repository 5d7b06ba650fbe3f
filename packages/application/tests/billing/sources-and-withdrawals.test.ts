import { beforeEach, describe, expect, it } from '@jest/globals';
import { type StrategyId, decimal, id, statusOf, sum } from '@slipstream/domain';
import { PaymentUnreachable } from '@slipstream/ports';
import type { UserCaller } from '../../src/index.js';
import { PASSWORD } from '../accounts.js';
import { type BillingWorld, DAY, DETAILS, billingWorld } from './billing-world.js';

let world: BillingWorld;
let owner: UserCaller;
let follower: UserCaller;
let strategyId: StrategyId;

beforeEach(async () => {
  world = await billingWorld();
  owner = await world.user('owner');
  follower = await world.user('follower');
  strategyId = await world.priced(owner);
});

const primary = async (): Promise<string | undefined> =>
  (await world.app.getPaymentSources(follower)).find(({ source }) => source.primary)?.source.id;

describe('payment sources', () => {
  it('show name and address to their owner only, and store them encrypted', async () => {
    const sourceId = await world.pay(follower, 'test_card_paid');
    const [own] = await world.app.getPaymentSources(follower);
    expect(own?.details).toEqual(DETAILS);
    expect(await world.app.getPaymentSources(owner)).toEqual([]);
    const kept = await world.ports.unitOfWork.read(({ paymentSources }) =>
      paymentSources.find(id(sourceId)),
    );
    const { secretBox } = world.ports;
    const opened = secretBox.open(kept?.sealedDetails ?? '', `payment_source|${sourceId}`);
    expect(JSON.parse(opened)).toEqual(DETAILS);
    expect(JSON.stringify({ ...kept, sealedDetails: '' })).not.toContain('Lovelace');
  });

  it('have one primary: the first, then the one made primary, then the newest of the rest', async () => {
    const first = await world.pay(follower, 'test_card_paid');
    const details = DETAILS;
    await world.app.newPaymentSource(follower, { token: 'test_card_retried', details });
    expect(await primary()).toBe(first);
    const third = await world.pay(follower, 'test_card_declined');
    expect(await primary()).toBe(third);
    await world.app.deletePaymentSource(follower, { sourceId: third });
    const left = await world.app.getPaymentSources(follower);
    expect(left).toHaveLength(2);
    expect(await primary()).toBe(left[0]?.source.id);
  });

  it('keep their primary one when another is deleted, and each direction has its own', async () => {
    const bank = { token: 'test_bank', direction: 'out', details: DETAILS } as const;
    const card = { token: 'test_card_retried', details: DETAILS };
    const chosen = await world.pay(follower, 'test_card_paid');
    const { source: second } = await world.app.newPaymentSource(follower, card);
    const { source: third } = await world.app.newPaymentSource(follower, card);
    const unconfirmed = { token: 'test_card_confirm', details: DETAILS };
    await world.app.newPaymentSource(follower, unconfirmed);
    const own = await world.pay(follower, 'test_bank');
    const added = await world.app.newPaymentSource(follower, { ...bank, password: PASSWORD });
    const primaries = async () =>
      (await world.app.getPaymentSources(follower))
        .filter(({ source }) => source.primary)
        .map(({ source }) => [source.direction, source.id])
        .sort();
    const before = [
      ['in', chosen],
      ['out', own],
    ];
    expect(await primaries()).toEqual(before);
    await world.app.deletePaymentSource(follower, { sourceId: second.id });
    expect(await primaries()).toEqual(before);
    await world.app.deletePaymentSource(follower, { sourceId: chosen });
    expect(await primaries()).toEqual([
      ['in', third.id],
      ['out', own],
    ]);
    await world.app.deletePaymentSource(follower, { sourceId: own });
    expect(await primaries()).toEqual([
      ['in', third.id],
      ['out', added.source.id],
    ]);
    await expect(world.app.deletePaymentSource(follower, { sourceId: own })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('are at most twenty, and the gateway forgets those that are deleted', async () => {
    const forgotten: string[] = [];
    world = await billingWorld({
      ...world.gateway,
      unlink: async (sourceRef) => void forgotten.push(sourceRef),
    });
    follower = await world.user('follower');
    const added: string[] = [];
    for (let count = 0; count < 20; count += 1)
      added.push(await world.pay(follower, 'test_card_paid'));
    await expect(world.pay(follower, 'test_card_paid')).rejects.toMatchObject({ code: 'too_many' });
    expect(forgotten).toEqual([]);
    await world.app.deletePaymentSource(follower, { sourceId: added[0] ?? '' });
    expect(forgotten).toHaveLength(1);
    await world.pay(follower, 'test_card_paid');
  });

  it('are asked for again at a gateway that did not remove them at first', async () => {
    const forgotten: string[] = [];
    let isDown = true;
    world = await billingWorld({
      ...world.gateway,
      unlink: async (sourceRef) => {
        if (isDown) throw new PaymentUnreachable('no answer');
        forgotten.push(sourceRef);
      },
    });
    follower = await world.user('follower');
    const sourceId = await world.pay(follower, 'test_card_paid');
    await world.app.deletePaymentSource(follower, { sourceId });
    await world.app.runBilling();
    isDown = false;
    await world.app.runBilling();
    expect(forgotten).toEqual([]);
    world.ports.clock.advance(60_000);
    await world.app.runBilling();
    await world.days(2);
    expect(forgotten).toEqual(['simulated:test_card_paid']);
  });

  it('lose name and address when they are deleted; invoices still show their description', async () => {
    const sourceId = await world.pay(follower, 'test_card_paid');
    await world.subscribe(follower, strategyId);
    await world.app.deletePaymentSource(follower, { sourceId });
    const { source } = await world.invoice(follower);
    expect(source.source).toMatchObject({ status: 'deleted', sealedDetails: null });
    expect(source.source.description).toBe('Test card ending in 4242');
    expect(source.details.name).toBe('');
    await world.days(28);
    expect((await world.subscription(follower)).status).toBe('past_due');
  });

  it.each([
    ['a token that is none', 'pm_card_visa', 'in'],
    ['a bank to pay with', 'test_bank', 'in'],
    ['a card to be paid to', 'test_card_paid', 'out'],
  ] as const)('refuse %s', async (_, token, direction) => {
    const proof = direction === 'out' ? { password: PASSWORD } : {};
    const source = { token, direction, details: DETAILS, ...proof };
    await expect(world.app.newPaymentSource(follower, source)).rejects.toMatchObject({
      code: 'payment_gateway',
    });
  });

  it("of others are answered as ones that don't exist", async () => {
    const sourceId = await world.pay(follower, 'test_card_paid');
    const refused = world.app.deletePaymentSource(owner, { sourceId });
    await expect(refused).rejects.toMatchObject({ code: 'not_found' });
  });

  it('never reach the log', async () => {
    world.faults.on('link', 'lost_answer');
    await expect(world.pay(follower, 'test_card_paid')).rejects.toMatchObject({
      code: 'payment_gateway',
    });
    await world.pay(follower, 'test_card_paid');
    world.faults.on('charge', 'lost_answer');
    await world.subscribe(follower, strategyId);
    expect(world.logged.join('\n')).toContain('did not answer');
    expect(world.logged.join('\n')).not.toMatch(/Lovelace|London|St James|SW1Y/);
  });
});

describe('invoices', () => {
  it('are narrowed by ids (in their order), source and status, and paged', async () => {
    const card = await world.pay(follower, 'test_card_paid');
    await world.subscribe(follower, strategyId);
    const bad = await world.pay(follower, 'test_card_declined');
    await world.days(28);
    const ask = async (command: Parameters<typeof world.app.getInvoices>[1]) =>
      (await world.app.getInvoices(follower, command)).map(({ invoice }) => invoice.id);
    const [second = '', first = ''] = await ask({});
    expect(await ask({ invoiceIds: [first, 'none', second, first] })).toEqual([first, second]);
    expect(await ask({ invoiceIds: [] })).toEqual([second, first]);
    expect(await ask({ sourceId: card })).toEqual([first]);
    expect(await ask({ sourceId: bad, status: 'failed' })).toEqual([second]);
    expect(await ask({ status: 'chargeback' })).toEqual([]);
    expect(await ask({ limit: 1 })).toEqual([second]);
    expect(await ask({ limit: 1, cursor: second })).toEqual([first]);
    expect(await ask({ cursor: 'none' })).toEqual([]);
    expect(await world.app.getInvoices(owner, { invoiceIds: [first] })).toEqual([]);
    const refused = world.app.retryInvoice(owner, { invoiceId: second });
    await expect(refused).rejects.toMatchObject({ code: 'not_found' });
    for (const sourceId of [bad, card]) await world.app.deletePaymentSource(follower, { sourceId });
    await expect(world.app.retryInvoice(follower, { invoiceId: second })).rejects.toMatchObject({
      code: 'payment_required',
    });
  });
});

describe('withdrawals', () => {
  const withdraw = (amount: string) => world.withdraw(owner, amount);
  /** The first month is of 28 days, and seven more until it settles. */
  const SETTLED = 35;
  let bank: string;

  beforeEach(async () => {
    bank = await world.pay(owner, 'test_bank');
    await world.pay(follower, 'test_card_chargeback_late');
    await world.subscribe(follower, strategyId);
    await world.app.deleteStrategySubscription(follower, { strategyId });
  });

  it('need a source of payout: payments_enabled reports it', async () => {
    expect((await world.app.getUserInfo(owner)).paymentsEnabled).toBe(true);
    await world.app.deletePaymentSource(owner, { sourceId: bank });
    expect((await world.app.getUserInfo(owner)).paymentsEnabled).toBe(false);
    await world.days(SETTLED);
    await expect(withdraw('1')).rejects.toMatchObject({ code: 'payouts_disabled' });
  });

  it('come from earnings whose month ended a week ago, and never exceed them', async () => {
    await world.days(SETTLED - 1);
    await expect(withdraw('0.01')).rejects.toMatchObject({ code: 'insufficient_earnings' });
    await world.days(1);
    await expect(withdraw('12.01')).rejects.toMatchObject({ code: 'insufficient_earnings' });
    await expect(withdraw('0.001')).rejects.toMatchObject({ code: 'invalid_field' });
    const both = await Promise.allSettled([withdraw('7'), withdraw('7')]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await world.balance(owner)).toEqual(['5', '5']);
  });

  it.each([
    ['a wrong password', { password: 'wrong' }, /password/],
    ['a code where no second factor is on', { password: PASSWORD, totp: '123456' }, /totp/],
  ])('are refused with %s', async (_, proof, reason) => {
    await world.days(SETTLED);
    const amount = decimal('1');
    await expect(world.app.newWithdrawal(owner, { amount, ...proof })).rejects.toThrow(reason);
    expect(await world.balance(owner)).toEqual(['12', '12']);
  });

  it('are not paid to a source newer than three days, whose creation needs the password', async () => {
    await world.days(SETTLED);
    const details = DETAILS;
    const source = { token: 'test_bank', direction: 'out', primary: true, details } as const;
    for (const proof of [{}, { password: 'wrong' }]) {
      const refused = world.app.newPaymentSource(owner, { ...source, ...proof });
      await expect(refused).rejects.toMatchObject({ code: 'invalid_field' });
    }
    await world.app.newPaymentSource(owner, { ...source, password: PASSWORD });
    await expect(withdraw('1')).rejects.toMatchObject({
      code: 'payouts_disabled',
      message: expect.stringMatching(/three days.*from 2026-03-10 12:00 UTC/),
    });
    await world.days(3);
    expect((await withdraw('1')).status).toBe('pending');
  });

  it('go to their original source, even if others are added; that source stays until they end', async () => {
    await world.days(SETTLED);
    const { sourceId } = await withdraw('5');
    expect(sourceId).toBe(bank);
    const other = await world.pay(owner, 'test_bank');
    await expect(world.app.deletePaymentSource(owner, { sourceId: bank })).rejects.toMatchObject({
      code: 'conflict',
    });
    await world.app.deletePaymentSource(owner, { sourceId: other });
    await world.days(1);
    const { withdrawals } = await world.app.getWithdrawals(owner, {});
    expect(withdrawals[0]).toMatchObject({ status: 'paid', sourceId: bank });
    await world.app.deletePaymentSource(owner, { sourceId: bank });
  });

  it('can be cancelled for an hour, then are paid out once, despite an unreachable gateway', async () => {
    await world.days(SETTLED);
    const first = await withdraw('5');
    await world.app.deleteWithdrawal(owner, { withdrawalId: first.id });
    expect(await world.balance(owner)).toEqual(['12', '12']);
    const second = await withdraw('12');
    world.faults.on('payOut', 'lost_answer', 'lost_request');
    await world.days(2);
    const taken = world.app.deleteWithdrawal(owner, { withdrawalId: second.id });
    await expect(taken).rejects.toMatchObject({ code: 'not_pending' });
    await world.days(1);
    const { withdrawals } = await world.app.getWithdrawals(owner, {});
    expect(withdrawals.map(({ status, dueAt }) => [status, dueAt])).toEqual([
      ['paid', null],
      ['cancelled', null],
    ]);
    expect(world.gateway.moved().paidOut.toFixed()).toBe('12');
  });

  it('are paid or cancelled, whichever comes first, and never both', async () => {
    await world.days(SETTLED);
    const ends = new Set<string>();
    for (let turns = 0; turns < 60; turns += 1) {
      const { id: withdrawalId } = await withdraw('0.1');
      world.ports.clock.advance(3_600_000);
      const run = world.app.runBilling();
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
      await world.app.deleteWithdrawal(owner, { withdrawalId }).catch(() => undefined);
      await run;
      const [newest] = (await world.app.getWithdrawals(owner, {})).withdrawals;
      ends.add(newest?.status ?? '');
    }
    const { withdrawals } = await world.app.getWithdrawals(owner, {});
    const paid = withdrawals.filter(({ status }) => status === 'paid');
    const total = sum(paid.map(({ amount }) => amount));
    expect([...ends].sort()).toEqual(['cancelled', 'paid']);
    expect(world.gateway.moved().paidOut.toFixed()).toBe(total.toFixed());
    expect(await world.balance(owner)).toEqual(
      Array.from({ length: 2 }, () => decimal('12').minus(total).toFixed()),
    );
  });

  it('whose answer is not known are asked for again, although a chargeback took the earnings meanwhile', async () => {
    const minute = 60_000;
    await world.days(59);
    world.ports.clock.advance(1_440 * minute - 90 * minute);
    await withdraw('12');
    world.faults.on('payOut', 'lost_answer', 'lost_request');
    world.ports.clock.advance(60 * minute);
    await world.app.runBilling();
    world.ports.clock.advance(30 * minute);
    await world.app.runBilling();
    expect(await world.balance(owner)).toEqual(['-12', '-12']);
    world.ports.clock.advance(minute);
    await world.app.runBilling();
    const { withdrawals } = await world.app.getWithdrawals(owner, {});
    expect(withdrawals[0]).toMatchObject({ status: 'paid' });
    expect(await world.balance(owner)).toEqual(['-12', '-12']);
    expect(world.gateway.moved().paidOut.toFixed()).toBe('12');
  });

  it('that never arrived are not made any more once a chargeback took the earnings: it takes what was not paid', async () => {
    const minute = 60_000;
    await world.days(59);
    world.ports.clock.advance(1_440 * minute - 90 * minute);
    await withdraw('12');
    world.faults.on('payOut', 'lost_request', 'lost_request', 'lost_answer');
    world.ports.clock.advance(60 * minute);
    await world.app.runBilling();
    world.ports.clock.advance(30 * minute);
    await world.app.runBilling();
    expect(await world.balance(owner)).toEqual(['-12', '-12']);
    for (let asked = 0; asked < 3; asked += 1) {
      world.ports.clock.advance(minute);
      await world.app.runBilling();
    }
    const { withdrawals } = await world.app.getWithdrawals(owner, {});
    expect(withdrawals[0]).toMatchObject({ status: 'failed' });
    expect(await world.balance(owner)).toEqual(['0', '0']);
    expect(world.gateway.moved().paidOut.toFixed()).toBe('0');
    expect((await world.toldAlways(owner)).at(-1)).toMatch(/12\.00 USD failed.*took the earnings/);
  });

  it('are refused while a chargeback exceeds the balance, which stays negative', async () => {
    await world.days(SETTLED);
    await withdraw('10');
    await world.days(60 - SETTLED);
    expect(await world.balance(owner)).toEqual(['-10', '-10']);
    await expect(withdraw('0.01')).rejects.toMatchObject({ code: 'insufficient_earnings' });
  });

  it('that are pending when a chargeback takes the earnings fail, return to the balance, and notify the user', async () => {
    await world.days(59);
    const minute = 60_000;
    world.ports.clock.advance(1_440 * minute - 30 * minute);
    await withdraw('12');
    world.ports.clock.advance(30 * minute);
    await world.app.runBilling();
    expect(statusOf((await world.invoice(follower)).invoice)).toBe('chargeback');
    world.ports.clock.advance(30 * minute);
    await world.app.runBilling();
    const { withdrawals } = await world.app.getWithdrawals(owner, {});
    expect(withdrawals[0]).toMatchObject({ status: 'failed' });
    expect(await world.balance(owner)).toEqual(['0', '0']);
    expect(world.gateway.moved().paidOut.toFixed()).toBe('0');
    expect((await world.toldAlways(owner)).at(-1)).toMatch(/failed and is among your earnings/);
  });

  it('that are pending when a chargeback takes the settled earnings fail, although others that have not settled outweigh it', async () => {
    await world.days(50);
    const another = await world.user('another');
    await world.pay(another, 'test_card_paid');
    await world.subscribe(another, strategyId);
    await world.days(9);
    world.ports.clock.advance(DAY - 1_800_000);
    await withdraw('12');
    world.ports.clock.advance(1_800_000);
    await world.app.runBilling();
    expect(await world.balance(owner)).toEqual(['0', '-12']);
    world.ports.clock.advance(1_800_000);
    await world.app.runBilling();
    const { withdrawals } = await world.app.getWithdrawals(owner, {});
    expect(withdrawals[0]).toMatchObject({ status: 'failed' });
    expect(await world.balance(owner)).toEqual(['12', '0']);
    expect(world.gateway.moved().paidOut.toFixed()).toBe('0');
  });
});

describe("a card whose bank requires its owner's confirmation", () => {
  it('is pending, then pays as the primary one', async () => {
    const first = await world.pay(follower, 'test_card_declined');
    const details = DETAILS;
    const added = await world.app.newPaymentSource(follower, {
      token: 'test_card_confirm',
      primary: true,
      details,
    });
    expect(added.source.status).toBe('pending');
    expect(added.nextAction).toEqual({ url: null, clientSecret: null });
    expect((await world.subscribe(follower, strategyId)).status).toBe('past_due');
    expect((await world.invoice(follower)).source.source.id).toBe(first);
    world.ports.clock.advance(60_000);
    await world.app.runBilling();
    const [card, former] = await world.app.getPaymentSources(follower);
    expect([card?.source.status, card?.source.primary, former?.source.primary]).toEqual([
      'active',
      true,
      false,
    ]);
    const { invoice } = await world.invoice(follower);
    const retried = await world.app.retryInvoice(follower, { invoiceId: invoice.id });
    expect(statusOf(retried.invoice)).toBe('paid');
  });

  it('does not take the place of a card that was made primary later', async () => {
    const added = { details: DETAILS, primary: true };
    await world.app.newPaymentSource(follower, { token: 'test_card_confirm', ...added });
    await world.app.newPaymentSource(follower, { token: 'test_card_confirm', ...added });
    const chosen = await world.pay(follower, 'test_card_paid');
    world.ports.clock.advance(60_000);
    await world.app.runBilling();
    const sources = await world.app.getPaymentSources(follower);
    expect(sources.map(({ source }) => source.status)).toEqual(['active', 'active', 'active']);
    expect(await primary()).toBe(chosen);
  });

  it('is removed when it was not confirmed within a day', async () => {
    const { confirmation, ...rest } = world.gateway;
    expect(confirmation).toBeDefined();
    const deaf = await billingWorld({ ...rest, confirmation: async () => ({ kind: 'waiting' }) });
    const payer = await deaf.user('payer');
    const token = 'test_card_confirm';
    await deaf.app.newPaymentSource(payer, { token, details: DETAILS });
    const hour = 3_600_000;
    for (const later of [hour / 60, 23 * hour - hour / 60, hour - 1]) {
      deaf.ports.clock.advance(later);
      await deaf.app.runBilling();
      const [kept] = await deaf.app.getPaymentSources(payer);
      expect(kept?.source.status).toBe('pending');
    }
    deaf.ports.clock.advance(hour);
    await deaf.app.runBilling();
    expect(await deaf.app.getPaymentSources(payer)).toEqual([]);
  });
});
