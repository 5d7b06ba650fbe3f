import { z } from 'zod';
import { figure, filled, ordered, unreadRows } from '../answers.js';

/** Every answer: errors are raised by ccxt before it is read. */
const resultOf = <T extends z.ZodType>(result: T) => z.object({ error: z.tuple([]), result });

export const keyInfoAnswer = resultOf(
  z.object({ permissions: z.array(z.string()), iban: z.string().regex(/^[A-Z0-9 ]{8,40}$/) }),
);

export const balancesAnswer = resultOf(
  z.record(
    z.string(),
    z.object({
      balance: figure,
      hold_trade: figure,
      credit: figure.optional(),
      credit_used: figure.optional(),
    }),
  ),
);

export const pairsAnswer = resultOf(unreadRows);
export const pairAnswer = z.object({
  pair_decimals: z.int().min(0).max(20),
  lot_decimals: z.int().min(0).max(20),
  ordermin: figure,
  costmin: figure.optional(),
  tick_size: figure.optional(),
  fees: z.array(z.tuple([figure, figure])).optional(),
});

export const statusesAnswer = resultOf(z.record(z.string(), z.object({ status: z.string() })));

const level = z.tuple([figure], z.unknown());
export const tickersAnswer = resultOf(z.record(z.string(), z.object({ b: level, c: level })));

export const placedAnswer = resultOf(
  z.object({
    txid: z.tuple([z.string().regex(/^O[A-Z0-9-]{5,40}$/)]),
    descr: z.object({ order: z.string() }),
  }),
);

/** Of the owner's orders too: only those that are looked for are read in full. */
const orders = z.record(z.string(), z.looseObject({ cl_ord_id: z.string().nullish() }));
export const openAnswer = resultOf(z.object({ open: orders }));
export const closedAnswer = resultOf(z.object({ closed: orders }));
export type ListedOrders = z.infer<typeof orders>;

export const orderAnswer = z.object({
  status: z.string(),
  reason: z.string().nullish(),
  descr: z.object({ pair: z.string(), type: z.enum(['buy', 'sell']) }),
  vol: ordered,
  vol_exec: filled,
  price: figure,
  fee: figure,
  oflags: z.string(),
});
export type OrderAnswer = z.infer<typeof orderAnswer>;

export const ledgerAnswer = resultOf(
  z.object({
    ledger: z.record(
      z.string(),
      z.object({
        time: z.number(),
        type: z.string(),
        asset: z.string(),
        amount: figure,
        fee: figure,
      }),
    ),
  }),
);

export const cancelledAnswer = resultOf(z.object({ count: figure }));
