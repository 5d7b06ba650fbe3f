import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Decimal, ONE, type StrategyId, decimal } from '@slipstream/domain';
import type { Caller, UserCaller } from '../src/index.js';
import { type BillingWorld, billingWorld } from './billing/billing-world.js';

let world: BillingWorld;
let owner: UserCaller;
let follower: UserCaller;
let strategyId: StrategyId;

beforeEach(async () => {
  world = await billingWorld();
  owner = await world.user('owner');
  follower = await world.user('follower');
  strategyId = await world.priced(owner, 0);
  await world.pay(owner, 'test_bank');
  world.ports.clock.advance(5 * 86_400_000);
});

const OPERATOR: Caller = { kind: 'operator' };
const made = { type: 'stock', name: 'Another' } as const;
const split = (newShares: Decimal, oldShares: Decimal) =>
  world.app.newStockAction(OPERATOR, {
    stock: 'aapl',
    kind: 'split',
    ratio: { newShares, oldShares },
  });
const changed = (fields: object) =>
  world.app.updateStocks(OPERATOR, { stocks: [{ stockId: 'aapl', ...fields }] });

/** What nothing and less is given for. */
const ABOVE_ZERO: readonly [string, (figure: Decimal) => Promise<unknown>][] = [
  ['a withdrawal', (figure) => world.withdraw(owner, figure.toFixed())],
  [
    'the value of a new strategy',
    (inputValue) => world.app.newStrategy(owner, { ...made, inputValue }),
  ],
  [
    'that of a strategy',
    (inputValue) => world.app.updateStrategy(owner, { strategyId, inputValue }),
  ],
  [
    'that of a follower',
    (inputValue) => world.app.newStrategySubscription(follower, { strategyId, inputValue }),
  ],
  [
    'that of a calculation',
    (inputValue) => world.app.getStrategyCalculation(owner, { strategyId, inputValue }),
  ],
  [
    'that of a changed one',
    (inputValue) => world.app.updateStrategyCalculation(owner, { strategyId, inputValue }),
  ],
  [
    'a dividend',
    (amount) =>
      world.app.newStockAction(OPERATOR, { stock: 'aapl', kind: 'cash_dividend', amount }),
  ],
  ['the new shares of a split', (newShares) => split(newShares, ONE)],
  ['its old shares', (oldShares) => split(ONE, oldShares)],
];

describe('a host that passes on what somebody typed is refused', () => {
  const refused = (act: Promise<unknown>) =>
    expect(act).rejects.toMatchObject({ name: 'Refusal', code: 'invalid_field' });

  it.each(
    ABOVE_ZERO.flatMap(([what, act]) => [[what, '0', act] as const, [what, '-100', act] as const]),
  )('%s of %s', async (_, figure, act) => {
    await refused(act(decimal(figure)));
    expect(await world.balance(owner)).toEqual(['0', '0']);
  });

  it.each([-1, 2.5, 1_000_001, NaN, Infinity])('a price of %d', async (price) => {
    await refused(world.app.newStrategy(owner, { ...made, price }));
    await refused(world.app.updateStrategy(owner, { strategyId, price }));
  });

  it.each([0, -1, 2.5, 721, NaN])('a watch of %d hours', async (alertWatch) => {
    await refused(world.app.newStrategy(owner, { ...made, alertWatch }));
    await refused(world.app.updateStrategy(owner, { strategyId, alertWatch }));
  });

  it.each(['-0.0001', '0.1001'])('a stock with a fee or a slippage of %s', async (figure) => {
    await refused(changed({ fee: decimal(figure) }));
    await refused(changed({ slippage: decimal(figure) }));
  });

  it('a stock that closes at a price below nothing', async () => {
    await refused(changed({ stockStatus: 'delisted', settlePrice: decimal('-1') }));
  });
});
