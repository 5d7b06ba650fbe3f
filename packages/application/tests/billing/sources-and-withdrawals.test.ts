import { beforeEach, describe, expect, it } from '@jest/globals';
import { type StrategyId, decimal, id } from '@slipstream/domain';
import type { UserCaller } from '../../src/index.js';
import { type BillingWorld, DETAILS, billingWorld } from './billing-world.js';

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
  it('show name and address to their owner only, and keep them sealed', async () => {
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

  it('have one primary: the first, then the one that asks to be, then the newest left', async () => {
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

  it('lose name and address when they are deleted; invoices still show what they were', async () => {
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
    const refused = world.app.newPaymentSource(follower, { token, direction, details: DETAILS });
    await expect(refused).rejects.toMatchObject({ code: 'payment_gateway' });
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
  });
});

describe('withdrawals', () => {
  const withdraw = (amount: string) => world.app.newWithdrawal(owner, { amount: decimal(amount) });

  beforeEach(async () => {
    await world.pay(follower, 'test_card_chargeback');
    await world.subscribe(follower, strategyId);
  });

  it('need something to be paid to: payments_enabled says so', async () => {
    await world.days(7);
    await expect(withdraw('1')).rejects.toMatchObject({ code: 'payouts_disabled' });
    const sourceId = await world.pay(owner, 'test_bank');
    expect((await world.app.getUserInfo(owner)).paymentsEnabled).toBe(true);
    await withdraw('1');
    await world.app.deletePaymentSource(owner, { sourceId });
    expect((await world.app.getUserInfo(owner)).paymentsEnabled).toBe(false);
  });

  it('come from settled earnings and never exceed them', async () => {
    await world.pay(owner, 'test_bank');
    await world.days(6);
    await expect(withdraw('0.01')).rejects.toMatchObject({ code: 'insufficient_earnings' });
    await world.days(1);
    await expect(withdraw('12.01')).rejects.toMatchObject({ code: 'insufficient_earnings' });
    await expect(withdraw('0.001')).rejects.toMatchObject({ code: 'invalid_field' });
    const both = await Promise.allSettled([withdraw('7'), withdraw('7')]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await world.balance(owner)).toEqual(['5', '5']);
  });

  it('can be taken back for an hour, then are paid out once, over an unreachable gateway', async () => {
    await world.pay(owner, 'test_bank');
    await world.days(7);
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
    expect(withdrawals.map(({ status }) => status)).toEqual(['paid', 'cancelled']);
    expect(world.gateway.money().paidOut.toFixed()).toBe('12');
  });

  it('are refused while a chargeback has taken more than is left', async () => {
    await world.pay(owner, 'test_bank');
    await world.days(8);
    await withdraw('10');
    await world.days(2);
    expect(await world.balance(owner)).toEqual(['-10', '-10']);
    await expect(withdraw('0.01')).rejects.toMatchObject({ code: 'insufficient_earnings' });
  });

  it('that are pending when a chargeback takes the earnings fail, and are given back', async () => {
    await world.pay(owner, 'test_bank');
    await world.days(9);
    const minute = 60_000;
    world.ports.clock.advance(1_440 * minute - 30 * minute);
    await withdraw('12');
    world.ports.clock.advance(30 * minute);
    await world.app.runBilling();
    expect((await world.invoice(follower)).invoice.status).toBe('chargeback');
    world.ports.clock.advance(30 * minute);
    await world.app.runBilling();
    const { withdrawals } = await world.app.getWithdrawals(owner, {});
    expect(withdrawals[0]).toMatchObject({ status: 'failed' });
    expect(await world.balance(owner)).toEqual(['0', '0']);
    expect(world.gateway.money().paidOut.toFixed()).toBe('0');
  });
});
