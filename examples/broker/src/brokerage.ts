import { type Decimal, ZERO, decimal } from '@slipstream/domain';

/** What an order is, in the brokerage's own words and as JSON carries it. */
export interface Ticket {
  readonly id: string;
  /** What it names the instrument: `AAPL.NASDAQ`. */
  readonly instrument: string;
  readonly side: 'buy' | 'sell';
  readonly quantity: string;
  /** The worst price, or null. */
  readonly limit: string | null;
  /** Whatever the client wants back with it. */
  readonly note: string;
}

export interface Report extends Ticket {
  readonly state: 'working' | 'done' | 'cancelled' | 'rejected';
  readonly filled: string;
  readonly price: string | null;
  readonly text: string | null;
}

export interface Statement {
  readonly cash: string;
  readonly holdings: readonly {
    readonly instrument: string;
    readonly quantity: string;
    readonly price: string;
  }[];
}

/** What a client may ask, with its key. */
export type Question =
  | { readonly ask: 'open' }
  | { readonly ask: 'statement'; readonly account: string }
  | { readonly ask: 'prices'; readonly account: string; readonly instruments: readonly string[] }
  | { readonly ask: 'place'; readonly account: string; readonly ticket: Ticket }
  | { readonly ask: 'reports'; readonly account: string; readonly ids: readonly string[] }
  | { readonly ask: 'cancel'; readonly account: string; readonly id: string };

/** Whether each instrument that was asked for trades now. */
export type Prices = Readonly<Record<string, 'open' | 'closed' | 'halted' | 'unlisted'>>;

/** As HTTP would answer: 200, 401 (no such key or account), 404 (no such order), 429. */
export interface Reply {
  readonly status: number;
  readonly body?: unknown;
  /** Seconds, with 429. */
  readonly retryAfter?: number;
}

/** How the brokerage is reached. A program that trades has `fetch` here; it throws when no answer came. */
export type Ask = (key: string, question: Question) => Promise<Reply>;

interface Account {
  cash: Decimal;
  readonly holdings: Map<string, Decimal>;
  readonly orders: Map<string, Report>;
}

export interface Brokerage {
  readonly ask: Ask;
  isOpen: boolean;
  /** What does not trade though the market is open. */
  readonly halted: Set<string>;
  /** The next order is filled in part. */
  fillsInPart: boolean;
  /** Fills what can be filled now. */
  settle(): void;
  /** Ends every order that still works, as at the end of a day. */
  expire(): void;
}

/** A brokerage in memory: whole shares, no credit, no shorts. It fills at its one price while it is open. */
export function brokerage(options: {
  readonly keys: readonly string[];
  readonly prices: ReadonlyMap<string, Decimal>;
  readonly cash: Decimal;
}): Brokerage {
  const accounts = new Map<string, Account>();
  const priceOf = (instrument: string): Decimal => options.prices.get(instrument) ?? ZERO;
  const isBeyond = ({ instrument, side, limit }: Ticket): boolean =>
    limit !== null &&
    (side === 'buy' ? priceOf(instrument).gt(limit) : priceOf(instrument).lt(limit));
  const canFill = (order: Report): boolean =>
    order.state === 'working' &&
    service.isOpen &&
    !service.halted.has(order.instrument) &&
    !isBeyond(order);

  /** Why the order cannot be taken; undefined when it can. */
  function rejectionReason({ cash, holdings }: Account, ticket: Ticket): string | undefined {
    const quantity = decimal(ticket.quantity);
    if (!options.prices.has(ticket.instrument)) return 'this instrument is not traded here';
    if (!quantity.round(0).eq(quantity) || quantity.lte(ZERO))
      return 'only whole shares are traded';
    const held = holdings.get(ticket.instrument) ?? ZERO;
    if (ticket.side === 'sell') return quantity.gt(held) ? 'so many are not held' : undefined;
    return quantity.times(priceOf(ticket.instrument)).gt(cash) ? 'not enough cash' : undefined;
  }

  function fill(account: Account, order: Report, quantity: Decimal): void {
    const price = priceOf(order.instrument);
    const signed = order.side === 'buy' ? quantity : ZERO.minus(quantity);
    account.cash = account.cash.minus(signed.times(price));
    const held = (account.holdings.get(order.instrument) ?? ZERO).plus(signed);
    account.holdings.set(order.instrument, held);
    const filled = decimal(order.filled).plus(quantity);
    const state = filled.eq(order.quantity) ? 'done' : 'working';
    const figures = { state, filled: filled.toFixed(), price: price.toFixed() } as const;
    account.orders.set(order.id, { ...order, ...figures });
  }

  function place(account: Account, ticket: Ticket): Report {
    const known = account.orders.get(ticket.id);
    if (known) return known;
    const text = rejectionReason(account, ticket) ?? null;
    const state = text === null ? 'working' : 'rejected';
    const order: Report = { ...ticket, state, filled: '0', price: null, text };
    account.orders.set(order.id, order);
    if (canFill(order) && service.fillsInPart) {
      service.fillsInPart = false;
      fill(account, order, decimal('1'));
    }
    return account.orders.get(order.id) ?? order;
  }

  function cancel(account: Account, order: Report, text: string): void {
    if (order.state === 'working')
      account.orders.set(order.id, { ...order, state: 'cancelled', text });
  }

  const statementOf = ({ cash, holdings }: Account): Statement => ({
    cash: cash.toFixed(),
    holdings: [...holdings].map(([instrument, quantity]) => ({
      instrument,
      quantity: quantity.toFixed(),
      price: priceOf(instrument).toFixed(),
    })),
  });

  function answer(key: string, question: Question): Reply {
    if (!options.keys.includes(key)) return { status: 401 };
    if (question.ask === 'open') {
      const account = `account-${accounts.size + 1}`;
      accounts.set(account, { cash: options.cash, holdings: new Map(), orders: new Map() });
      return { status: 200, body: account };
    }
    const account = accounts.get(question.account);
    if (!account) return { status: 401 };
    if (question.ask === 'statement') return { status: 200, body: statementOf(account) };
    if (question.ask === 'place') return { status: 200, body: place(account, question.ticket) };
    if (question.ask === 'prices') {
      const now = (one: string): Prices[string] => {
        if (!options.prices.has(one)) return 'unlisted';
        if (!service.isOpen) return 'closed';
        return service.halted.has(one) ? 'halted' : 'open';
      };
      const { instruments } = question;
      return { status: 200, body: Object.fromEntries(instruments.map((one) => [one, now(one)])) };
    }
    if (question.ask === 'reports') {
      return { status: 200, body: question.ids.flatMap((one) => account.orders.get(one) ?? []) };
    }
    const order = account.orders.get(question.id);
    if (!order) return { status: 404 };
    cancel(account, order, 'cancelled as asked');
    return { status: 200, body: order };
  }

  const service: Brokerage = {
    ask: async (key, question) => answer(key, question),
    isOpen: true,
    halted: new Set(),
    fillsInPart: false,
    settle() {
      for (const account of accounts.values())
        for (const order of account.orders.values())
          if (canFill(order)) fill(account, order, decimal(order.quantity).minus(order.filled));
    },
    expire() {
      for (const account of accounts.values())
        for (const order of account.orders.values()) cancel(account, order, 'expired');
    },
  };
  return service;
}
