import { type Decimal, type Timestamp, decimalText } from '@slipstream/domain';
import type { z } from 'zod';
import type { calculationResource } from '../resources/index.js';
import { orNull, timeText } from './output.js';

/** Contract 2, "Calculation". */
export const presentCalculation = (view: {
  readonly strategyId: string;
  readonly inputValue: Decimal;
  readonly inputDate: Timestamp;
  readonly inputMultiplier: Decimal;
  readonly strategyValue: Decimal;
  readonly value: Decimal;
  readonly percentChange: Decimal;
  readonly positions:
    | readonly {
        readonly stockId: string;
        readonly amount: Decimal;
        readonly value: Decimal | null;
      }[]
    | null;
}): z.infer<typeof calculationResource> => ({
  strategy_id: view.strategyId,
  input_value: decimalText(view.inputValue),
  input_date: timeText(view.inputDate),
  input_multiplier: decimalText(view.inputMultiplier),
  strategy_value: decimalText(view.strategyValue),
  value: decimalText(view.value),
  percent_change: decimalText(view.percentChange),
  positions:
    view.positions &&
    view.positions.map(({ stockId, amount, value }) => ({
      stock_id: stockId,
      amount: decimalText(amount),
      value: orNull(value),
    })),
});
