import {
  type Decimal,
  Refusal,
  type Strategy,
  type Subscription,
  type Timestamp,
  inputMultiplier,
  percentChange,
  requireAboveZero,
  type CalculationView,
} from '@slipstream/domain';
import type { ReadStores } from '@slipstream/ports';
import { bookOf, isActive, requireUser, visibleStrategy } from './access.js';
import type { Caller } from '../caller.js';
import type { Core } from '../core.js';
import { valueAtInputDate } from './input-date.js';
import { viewPositions } from '../trading/order-views.js';
import { atPresent } from '../trading/present-book.js';

export interface CalculationInput {
  readonly strategyId: string;
  /** The strategy's value to the user at the date, in their own currency. */
  readonly inputValue: Decimal;
  /** Now when absent. */
  readonly inputDate?: Timestamp | undefined;
}

const unavailable = (what: string): Refusal =>
  new Refusal('value_unavailable', `the calculation is unavailable: ${what}`);

async function calculate(
  core: Core,
  stores: ReadStores,
  strategy: Strategy,
  { inputValue, inputDate: asked }: CalculationInput,
  mayFollow: boolean,
): Promise<CalculationView> {
  requireAboveZero('input_value', inputValue);
  const now = core.clock.now();
  const { inputDate, value: past } = await valueAtInputDate(core, stores, strategy, { asked, now });
  const multiplier = inputMultiplier(inputValue, past);
  if (!multiplier)
    throw unavailable('strategy_value was not known, or not positive, at input_date');
  const book = await bookOf(stores, strategy.id);
  const market = core.live.market(core.clock.now());
  const { strategyValue, positions } = viewPositions(atPresent(core, book), market);
  const change = percentChange(past, strategyValue);
  if (!strategyValue || !change) throw unavailable('a quote is missing now');
  return {
    strategyId: strategy.id,
    inputValue,
    inputDate,
    inputMultiplier: multiplier,
    strategyValue,
    value: strategyValue.times(multiplier),
    percentChange: change,
    positions: mayFollow
      ? positions.map(({ position, value }) => ({
          stockId: position.stockId,
          amount: position.amount.times(multiplier),
          value: value && value.times(multiplier),
        }))
      : null,
  };
}

/** The strategy in the figures of someone for whom it had that value on that date. Nothing is stored. */
export const getStrategyCalculation =
  (core: Core) =>
  async (caller: Caller, command: CalculationInput): Promise<CalculationView> => {
    const { userId } = requireUser(caller);
    return core.unitOfWork.read(async (stores) => {
      const strategy = await visibleStrategy(stores, caller, command.strategyId);
      const row = await stores.subscriptions.findCurrent(strategy.id, userId);
      return calculate(core, stores, strategy, command, isActive(row));
    });
  };

/** The same, stored in the caller's own row as their new multiplier. */
export const updateStrategyCalculation =
  (core: Core) =>
  async (caller: Caller, command: CalculationInput): Promise<CalculationView> => {
    const { userId } = requireUser(caller);
    return core.unitOfWork.run(async (stores) => {
      const strategy = await visibleStrategy(stores, caller, command.strategyId);
      const row = await stores.subscriptions.findCurrent(strategy.id, userId);
      if (!row) throw new Refusal('not_found', 'you have no subscription to this strategy');
      const calculation = await calculate(core, stores, strategy, command, isActive(row));
      const next: Subscription = {
        ...row,
        inputValue: calculation.inputValue,
        inputDate: calculation.inputDate,
        inputMultiplier: calculation.inputMultiplier,
        updatedAt: core.clock.now(),
      };
      await stores.subscriptions.save(next);
      stores.answerWith(calculation);
      return calculation;
    });
  };
