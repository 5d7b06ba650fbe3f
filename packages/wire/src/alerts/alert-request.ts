import { ALERT_ACTIONS, MARKET_POSITIONS } from '@slipstream/domain';
import { z } from 'zod';
import { unshown, idOf, stockRef } from '../fields/text.js';
import { anyDecimal } from '../fields/decimals.js';
import { leverage, pyramiding, slippage } from '../fields/figures.js';

/** A word of the list in upper or lower case. */
function wordOf<const Words extends readonly string[]>(words: Words) {
  const rule = `must be one of ${words.join(', ')}`;
  return z
    .string({ error: rule })
    .transform((value, context): Words[number] => {
      const word = words.find((known) => known === value.trim().toLowerCase());
      if (word !== undefined) return word;
      context.addIssue({ code: 'custom', message: rule });
      return z.NEVER;
    })
    .meta({ description: `One of ${words.join(', ')}, in any case.`, examples: [words[0]] });
}

const isExact = (value: string | number): boolean =>
  typeof value === 'string' || Math.abs(value) <= Number.MAX_SAFE_INTEGER;

/** The sender's own name for an alert; templates may write it as a number. */
const alertId = z
  .union([z.string(), z.number()], { error: 'must be a string' })
  .refine(isExact, {
    error: 'must be in quotes: numbers this large lose digits, so two alerts would have one id',
  })
  .transform(String)
  .pipe(unshown(100, 1))
  .meta({
    minLength: 1,
    maxLength: 100,
    description: 'A repeat on the same strategy gets the first order as its answer.',
  });

/** The sizes that charting platforms fill in; a value that is no number is ignored (contract 7b.3). */
const positionSize = z
  .unknown()
  .transform(anyDecimal)
  .optional()
  .meta({
    description:
      'A number or numeric text, of either sign; ignored unless the position became smaller.',
    examples: ['5'],
  });

/** newOrderWebhook's body. Extra fields of templates are ignored. The token is removed before the body is read. */
export const alertRequest = z.object({
  strategy_id: idOf<'strategy'>(),
  stock_id: stockRef,
  action: wordOf(ALERT_ACTIONS),
  leverage: leverage
    .optional()
    .meta({ description: 'From 0 to 2, a multiple of 0.01; default 1, 0 closes.' }),
  pyramiding: pyramiding.optional(),
  slippage: slippage
    .optional()
    .meta({ description: 'From 0 to 0.05, a multiple of 0.001; default 0.002.' }),
  market_position: wordOf(MARKET_POSITIONS).optional(),
  market_position_size: positionSize,
  prev_market_position_size: positionSize,
  alert_id: alertId.optional(),
});
