import { beforeEach, describe, expect, it } from '@jest/globals';
import { type StrategyId, chargeRefOf, decimal, refundedOf, statusOf } from '@slipstream/domain';
import type { UserCaller } from '../../src/index.js';
import { PASSWORD } from '../accounts.js';
import { type BillingWorld, DAY, billingWorld } from './billing-world.js';

let world: BillingWorld;
let owner: UserCaller;
let payer: UserCaller;
let strategyId: StrategyId;
let bank: string;

/** The owner has 12 USD settled; nothing runs any more. */
async function begin(made: BillingWorld, card = 'test_card_chargeback_late'): Promise<void> {
  world = made;
  [owner, payer] = [await world.confirmed('owner'), await world.user('payer')];
  bank = await world.pay(owner, 'test_bank');
  await world.pay(payer, card);
  strategyId = await world.priced(owner);
  await world.subscribe(payer, strategyId);
  await world.app.deleteStrategySubscription(payer, { strategyId });
  await world.days(35);
}

/** Every act of an owner by which money or the account would go, each with its name. */
const acts = () =>
  [
    ['deleteUser', () => world.app.deleteUser(owner, { password: PASSWORD })],
    ['deleteStrategy', () => world.app.deleteStrategy(owner, { strategyId })],
    ['deletePaymentSource', () => world.app.deletePaymentSource(owner, { sourceId: bank })],
  ] as const;

async function refusals(): Promise<Record<string, string>> {
  const refused: Record<string, string> = {};
  for (const [name, act] of acts()) {
    await act().then(
      () => (refused[name] = 'done'),
      (error: unknown) => (refused[name] = (error as { code: string }).code),
    );
  }
  return refused;
}

const ALL_REFUSED = {
  deleteUser: 'conflict',
  deleteStrategy: 'conflict',
  deletePaymentSource: 'conflict',
};

describe('while a withdrawal is under way', () => {
  beforeEach(async () => begin(await billingWorld()));

  it('nothing that it needs is deleted, neither while it is pending nor while it is processing', async () => {
    await world.withdraw(owner, '12');
    expect(await refusals()).toEqual(ALL_REFUSED);
    world.faults.on('payOut', ...Array.from({ length: 50 }, () => 'lost_request' as const));
    await world.days(1);
    const { withdrawals } = await world.app.getWithdrawals(owner, {});
    expect(withdrawals[0]?.status).toBe('processing');
    expect(await refusals()).toEqual(ALL_REFUSED);
  });

  it('and when it is paid, everything is', async () => {
    await world.withdraw(owner, '12');
    await world.days(1);
    for (const [, act] of acts().toReversed()) await act();
    const again = world.app.getUserInfo(owner);
    await expect(again).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it('a strategy can be deleted after its cancellation', async () => {
    const { id: withdrawalId } = await world.withdraw(owner, '12');
    await world.app.deleteWithdrawal(owner, { withdrawalId });
    await world.app.deleteStrategy(owner, { strategyId });
    expect(await world.balance(owner)).toEqual(['12', '12']);
  });
});

describe('a payout that is refused after it was sent', () => {
  it("returns to the user's balance, and the user is notified", async () => {
    const { gateway } = await billingWorld();
    const refusing = {
      ...gateway,
      payOut: async () => ({ kind: 'refused', reason: 'closed' }) as const,
    };
    await begin(await billingWorld(refusing), 'test_card_paid');
    await world.withdraw(owner, '12');
    const gone = world.app.deleteUser(owner, { password: PASSWORD });
    await expect(gone).rejects.toMatchObject({ code: 'conflict' });
    await world.days(1);
    expect(await world.balance(owner)).toEqual(['12', '12']);
    expect((await world.toldAlways(owner)).at(-1)).toMatch(/12\.00 USD failed.*: closed\.$/);
    expect((await world.mailed('owner')).at(-1)).toBe('A withdrawal failed');
  });
});

describe('while earnings are below zero', () => {
  it('nothing is deleted: a late chargeback is still owed', async () => {
    await begin(await billingWorld());
    await world.withdraw(owner, '12');
    await world.days(25);
    expect(await world.balance(owner)).toEqual(['-12', '-12']);
    expect(await refusals()).toEqual({
      deleteUser: 'insufficient_earnings',
      deleteStrategy: 'insufficient_earnings',
      deletePaymentSource: 'done',
    });
  });

  it('a dispute that is won gives the earnings back', async () => {
    const made = await billingWorld();
    await begin(made, 'test_card_dispute_won');
    expect(statusOf((await world.invoice(payer)).invoice)).toBe('paid');
    expect((await world.subscription(payer)).status).toBe('cancelled');
    expect(await world.balance(owner)).toEqual(['12', '12']);
    expect(world.gateway.moved().chargedBack.toFixed()).toBe('0');
  });
});

describe('a change made at the gateway', () => {
  it('is found without its webhook: a refund made there reduces the earnings', async () => {
    const { gateway } = await billingWorld();
    let refunded = decimal('0');
    let asked = 0;
    const now = () => world.ports.clock.now();
    const watched = {
      ...gateway,
      charge: async (request: Parameters<typeof gateway.charge>[0]) => {
        const answer = await gateway.charge(request);
        return answer.kind === 'paid' ? { ...answer, checkAgainAt: now() + DAY } : answer;
      },
      standing: async () => {
        asked += 1;
        return { kind: 'paid', refunded, checkAgainAt: now() + 7 * DAY } as const;
      },
    };
    world = await billingWorld(watched);
    [owner, payer] = [await world.user('owner'), await world.user('payer')];
    await world.pay(payer, 'test_card_paid');
    strategyId = await world.priced(owner);
    await world.subscribe(payer, strategyId);
    await world.days(2);
    expect([asked, await world.balance(owner)]).toEqual([1, ['12', '0']]);
    refunded = decimal('5');
    await world.days(7);
    expect(refundedOf((await world.invoice(payer)).invoice).toFixed()).toBe('5');
    expect([asked, await world.balance(owner)]).toEqual([2, ['8', '0']]);
    expect((await world.subscription(payer)).status).toBe('active');
    refunded = decimal('15');
    await world.days(7);
    expect(await world.balance(owner)).toEqual(['0', '0']);
    expect(await world.subscription(payer)).toMatchObject({
      status: 'cancelled',
      statusReason: 'the payment was given back',
    });
    await world.days(7);
    expect([asked, await world.balance(owner)]).toEqual([4, ['0', '0']]);
  });
});

describe('a dispute that opens while unused days are owed', () => {
  /** The gateway refuses refunds while a charge is disputed, and tells changes by itself. */
  async function disputedWorld() {
    const { gateway } = await billingWorld();
    const at = { isDisputed: false };
    const asked: string[] = [];
    world = await billingWorld({
      ...gateway,
      standing: async () => ({
        kind: at.isDisputed ? 'charged_back' : 'paid',
        refunded: decimal('0'),
        checkAgainAt: null,
      }),
      refund: async ({ amount }) => {
        if (at.isDisputed) return { kind: 'refused', reason: 'charge_disputed' };
        asked.push(amount.toFixed());
        return { kind: 'done' };
      },
      readNotice: async (chargeRef) => ({ kind: 'charge_changed', chargeRef }),
    });
    [owner, payer] = [await world.user('owner'), await world.user('payer')];
    await world.pay(payer, 'test_card_paid');
    strategyId = await world.priced(owner);
    await world.subscribe(payer, strategyId);
    const { invoice } = await world.invoice(payer);
    const turn = async (isDisputed: boolean) => {
      at.isDisputed = isDisputed;
      await world.app.handlePaymentWebhook(chargeRefOf(invoice) ?? '', {});
    };
    const figures = async () => {
      const { invoice: now } = await world.invoice(payer);
      return [statusOf(now), refundedOf(now).toFixed(), ...(await world.balance(owner))];
    };
    return { at, asked, turn, figures };
  }

  it.each([true, false])(
    'refunds them if it is won, and counts only refunds that were made: won %s',
    async (isWon) => {
      const { at, asked, turn, figures } = await disputedWorld();
      at.isDisputed = true;
      await world.app.deleteStrategy(owner, { strategyId });
      const [, owed = '', kept = ''] = await figures();
      // The refused refund tells of the dispute, before any notice.
      await world.days(1);
      expect(await figures()).toEqual(['chargeback', '0', '0', '0']);
      await turn(true);
      expect(await figures()).toEqual(['chargeback', '0', '0', '0']);
      if (isWon) {
        await turn(false);
        await world.days(2);
      } else await world.days(40);
      const [status, given, balance] = await figures();
      expect([status, given, balance]).toEqual(
        isWon ? ['paid', owed, kept] : ['chargeback', '0', '0'],
      );
      expect(asked).toEqual(isWon ? [owed] : []);
    },
  );
});

describe('by a clock that was set back since', () => {
  beforeEach(async () => begin(await billingWorld()));

  /** Somebody else has paid as much, which has not settled. */
  async function unsettled(): Promise<void> {
    const other = await world.user('other');
    await world.pay(other, 'test_card_paid');
    await world.subscribe(other, strategyId);
  }

  it('what is withdrawn cannot be withdrawn again out of what has not settled', async () => {
    await world.days(1);
    await unsettled();
    await world.withdraw(owner, '12');
    world.ports.clock.advance(-DAY / 24);
    expect(await world.balance(owner)).toEqual(['12', '0']);
    await expect(world.withdraw(owner, '0.01')).rejects.toThrow('0.00 USD of your earnings');
  });

  it('what a bank took cannot be withdrawn out of what has not settled', async () => {
    await world.days(24);
    await unsettled();
    await world.days(1);
    expect(await world.balance(owner)).toEqual(['12', '0']);
    world.ports.clock.advance(-DAY / 24);
    expect(await world.balance(owner)).toEqual(['12', '0']);
  });
});
