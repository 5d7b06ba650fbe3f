import { decimal, ONE } from '@slipstream/domain';
import { z } from 'zod';
import { positive } from '../fields/decimals.js';
import { stockRef, idOf } from '../fields/text.js';
import { operation } from '../operations/operation.js';
import { stockActionResource, adjustmentResource } from './resources.js';
import { presentStockAction, presentAdjustment } from './present.js';
import { ids, AT } from '../example-ids.js';
import { limit, cursor } from '../fields/lists.js';
import { list } from '../operations/answers.js';

const [LEAST, MOST] = [decimal('0.0001'), decimal('10000')];
const ratio = positive
  .refine((value) => value.gte(LEAST) && value.lte(MOST) && !value.eq(ONE), {
    error: 'must be between 0.0001 and 10000 and not 1',
  })
  .meta({
    description:
      'New shares for an old one: 4 turns one into four, 0.1 ten into one. Replaces new_shares and old_shares.',
  });
const shares = (description: string) =>
  z
    .int({ error: 'must be an integer from 1 to 1000000' })
    .min(1, { error: 'must be an integer from 1 to 1000000' })
    .max(1_000_000, { error: 'must be an integer from 1 to 1000000' })
    .meta({ description });
const split = z
  .strictObject({
    stock_id: stockRef,
    kind: z.literal('split'),
    new_shares: shares(
      'So many new shares for old_shares old ones: 1 and 3 make one of three.',
    ).optional(),
    old_shares: shares('The old shares that new_shares are given for.').optional(),
    ratio: ratio.optional(),
  })
  .superRefine(({ new_shares, old_shares, ratio: given }, context) => {
    const inShares = new_shares !== undefined && old_shares !== undefined;
    const isEither = inShares
      ? given === undefined
      : new_shares === undefined && old_shares === undefined && given !== undefined;
    const message = 'a split takes new_shares and old_shares, or ratio';
    if (!isEither) context.addIssue({ code: 'custom', message });
  });
/** The ratio of the request, given in shares or as their quotient. */
const ratioOf = ({
  new_shares: newShares = 1,
  old_shares: oldShares = 1,
  ratio: given = decimal(String(newShares)),
}: z.output<typeof split>) => ({ newShares: given, oldShares: decimal(String(oldShares)) });
const stock_id = stockRef;

export const stockActions = {
  newStockAction: operation({
    name: 'newStockAction',
    group: 'Stocks',
    method: 'POST',
    auth: 'operator',
    summary: 'Applies a split or a cash dividend to every strategy and simulated account.',
    description:
      'A split keeps every strategy_value: it also divides the last quote. From then on pushed quotes must be in new shares.',
    request: z.discriminatedUnion(
      'kind',
      [
        split,
        z.strictObject({
          stock_id,
          kind: z.literal('cash_dividend'),
          amount: positive.meta({ description: 'Cash per share, market price.' }),
        }),
      ],
      { error: 'must be split (with new_shares and old_shares) or cash_dividend (with amount)' },
    ),
    command: (request) =>
      request.kind === 'split'
        ? { stock: request.stock_id, kind: request.kind, ratio: ratioOf(request) }
        : { stock: request.stock_id, kind: request.kind, amount: request.amount },
    response: stockActionResource,
    present: presentStockAction,
    example: {
      request: { stock_id: 'AAPL:NASDAQ', kind: 'split', new_shares: 4, old_shares: 1 },
      response: {
        stock_action_id: ids.order,
        stock_id: ids.stock,
        kind: 'split',
        new_shares: '4',
        old_shares: '1',
        ratio: '4',
        amount: null,
        created_at: AT,
      },
    },
  }),
  getStockActions: operation({
    name: 'getStockActions',
    group: 'Trades',
    method: 'GET',
    scope: 'getTrades',
    summary: 'The effects of splits, dividends and delistings on a strategy, newest first.',
    description:
      'Together with getTrades it is the whole ledger: cash = 1 - bought + sold - fees - rounding + the totals of these.',
    request: z.strictObject({
      strategy_id: idOf<'strategy'>(),
      limit: limit.optional(),
      cursor: cursor
        .optional()
        .meta({ description: 'The adjustment_id after which the list continues.' }),
    }),
    response: z.array(adjustmentResource),
    present: list(presentAdjustment),
    example: {
      request: { strategy_id: ids.strategy },
      response: [
        {
          stock_action_id: ids.order,
          strategy_id: ids.strategy,
          stock_id: ids.stock,
          kind: 'cash_dividend',
          ratio: null,
          amount: '0.24',
          amount_before: '0.0025',
          amount_after: '0.0025',
          total: '0.0006',
          created_at: AT,
          adjustment_id: ids.trade,
        },
      ],
    },
  }),
};
