import { z } from 'zod';
import { idOf } from '../fields/text.js';
import { positive } from '../fields/decimals.js';
import { moment } from '../fields/lists.js';
import { ids, AT } from '../example-ids.js';
import { operation } from '../operations/operation.js';
import { calculationResource } from './resources.js';
import { presentCalculation } from './present.js';

const group = 'Subscriptions';
const request = z.strictObject({
  strategy_id: idOf<'strategy'>(),
  input_value: positive.meta({
    description: "The caller's value of the strategy at input_date, in their own currency.",
  }),
  input_date: moment.optional().meta({ description: 'Default now.' }),
});
const example = {
  request: { strategy_id: ids.strategy, input_value: '4000', input_date: AT },
  response: {
    strategy_id: ids.strategy,
    input_value: '4000',
    input_date: AT,
    input_multiplier: '4000',
    strategy_value: '1.2',
    value: '4800',
    percent_change: '0.2',
    positions: [{ stock_id: ids.stock, amount: '10', value: '1999.8' }],
  },
};

export const calculations = {
  getStrategyCalculation: operation({
    name: 'getStrategyCalculation',
    group,
    method: 'GET',
    summary: 'A strategy in the figures of one user; nothing is stored.',
    description:
      'input_multiplier is input_value / strategy_value of the last sample at or before input_date. positions is null for callers who may not see them.',
    request,
    response: calculationResource,
    present: presentCalculation,
    example,
  }),
  updateStrategyCalculation: operation({
    name: 'updateStrategyCalculation',
    group,
    method: 'POST',
    summary: "The same, stored in the caller's own subscription.",
    request,
    response: calculationResource,
    present: presentCalculation,
    example,
  }),
};
