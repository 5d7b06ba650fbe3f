import { z } from 'zod';
import { decimalOut, idOut, timestampOut } from './output.js';

/** Contract 2, "Calculation". Positions are null for who may not see them. */
export const calculationResource = z
  .object({
    strategy_id: idOut,
    input_value: decimalOut,
    input_date: timestampOut,
    input_multiplier: decimalOut,
    strategy_value: decimalOut,
    value: decimalOut,
    percent_change: decimalOut,
    positions: z
      .array(z.object({ stock_id: idOut, amount: decimalOut, value: decimalOut.nullable() }))
      .nullable(),
  })
  .meta({ id: 'Calculation' });
