import type { StreamEvent } from '@slipstream/client';
import type { ChannelKind, ResponseOf } from '@slipstream/wire';

type Item<List> = List extends readonly (infer One)[] ? One : never;

export type StrategyValue = Item<ResponseOf<'getStrategyValues'>>;
export type Positions = ResponseOf<'getPositions'>;
export type Order = Item<ResponseOf<'getOrders'>>;
export type Bot = Item<ResponseOf<'getBots'>>;
export type Notification = Item<ResponseOf<'getNotifications'>>;
export type Alert = Item<ResponseOf<'getAlerts'>>;
export type BotOrder = Item<ResponseOf<'getBotOrders'>>;
export type BotAccount = ResponseOf<'getBotAccount'>;

/** A bot with what its channel told since the snapshot. */
export interface LiveBot {
  readonly bot: Bot;
  /** The time of the snapshot: what is read besides must be read again after each one. */
  readonly since: string;
  /** Newest first. */
  readonly orders: readonly BotOrder[];
  readonly account?: BotAccount;
  /** The time of the account. */
  readonly accountAt?: string;
}

/** What prices change in positions. */
type Values = Extract<StreamEvent<'wsPositions'>, { readonly event: 'valued' }>['data'];

/** What a channel is about: the read of its snapshot. */
interface Subjects {
  wsStrategyValue: StrategyValue;
  wsPositions: Positions;
  wsOrders: readonly Order[];
  wsBot: LiveBot;
  wsNotifications: readonly Notification[];
  wsAlerts: readonly Alert[];
  wsUserAlerts: readonly Alert[];
}

/** The state of a channel: nothing before its snapshot. */
export interface Live<Kind extends ChannelKind> {
  readonly data?: Kind extends keyof Subjects ? Subjects[Kind] : unknown;
  /** When the last change was, as the service says it. */
  readonly at?: string;
  /** Why nothing more comes. */
  readonly ended?: string;
}

type Fold<Kind extends keyof Subjects> = (
  state: Live<Kind>,
  event: { readonly event: string; readonly at: string; readonly data: never },
) => Subjects[Kind] | undefined;

/** Positions after a change: closed ones leave, the others take their place or their new figures. */
export function withPositions(before: Positions | undefined, told: Positions): Positions {
  if (!before) return told;
  const changed = new Map(told.positions.map((one) => [one.stock_id, one]));
  const kept = before.positions.map((one) => changed.get(one.stock_id) ?? one);
  const known = new Set(before.positions.map((one) => one.stock_id));
  const added = told.positions.filter((one) => !known.has(one.stock_id));
  return {
    ...told,
    positions: [...kept, ...added].filter(({ amount }) => amount !== '0'),
  };
}

/** Positions after prices moved: the values of those that are there. */
export function withValues(before: Positions | undefined, told: Values): Positions | undefined {
  if (!before) return undefined;
  const valued = new Map(told.positions.map((one) => [one.stock_id, one]));
  return {
    ...before,
    strategy_value: told.strategy_value,
    positions: before.positions.map((one) => ({ ...one, ...valued.get(one.stock_id) })),
  };
}

const OVER = ['filled', 'cancelled', 'rejected'];

/** Open orders after an event of one of them. */
export function withOrder(before: readonly Order[], event: string, order: Order): readonly Order[] {
  const rest = before.filter(({ order_id }) => order_id !== order.order_id);
  if (OVER.includes(event)) return rest;
  const place = before.findIndex(({ order_id }) => order_id === order.order_id);
  return place < 0 ? [order, ...rest] : before.with(place, order);
}

/** The most records of a growing list that a page keeps. */
const MOST_KEPT = 100;

/** Alerts, newest first, after one was added, or one that may be too old to be among them was changed. */
export function withAlert(before: readonly Alert[], event: string, alert: Alert): readonly Alert[] {
  const place = before.findIndex(({ inbox_id }) => inbox_id === alert.inbox_id);
  if (place >= 0) return before.with(place, alert);
  return event === 'added' ? [alert, ...before].slice(0, MOST_KEPT) : before;
}

/** The place of an order in the service's lists, where orders of one moment are by their ids. */
const placeOf = ({ created_at, bot_order_id }: BotOrder): string => created_at + bot_order_id;

/** Orders of a bot, newest first, with what its channel told of them. */
export function withBotOrders(
  before: readonly BotOrder[],
  told: readonly BotOrder[],
): readonly BotOrder[] {
  const latest = new Map([...before, ...told].map((order) => [order.bot_order_id, order]));
  return [...latest.values()]
    .toSorted((one, other) => placeOf(other).localeCompare(placeOf(one)))
    .slice(0, MOST_KEPT);
}

const alerts = (
  { data: before = [] }: { readonly data?: readonly Alert[] },
  { event, data }: { readonly event: string; readonly data: never },
): readonly Alert[] => (event === 'snapshot' ? data : withAlert(before, event, data));

const changes: { readonly [Kind in keyof Subjects]: Fold<Kind> } = {
  wsStrategyValue: (_, { data }) => data,
  wsPositions: (state, { event, data }) => {
    if (event === 'valued') return withValues(state.data, data);
    return event === 'snapshot' ? data : withPositions(state.data, data);
  },
  wsOrders: (state, { event, data }) =>
    event === 'snapshot' ? data : withOrder(state.data ?? [], event, data),
  wsBot: ({ data: before }, { event, at, data }) => {
    if (event === 'snapshot') return { bot: data, since: at, orders: [] };
    if (!before) return undefined;
    if (event === 'order') return { ...before, orders: withBotOrders(before.orders, [data]) };
    if (event === 'account') return { ...before, account: data, accountAt: at };
    return { ...before, bot: data };
  },
  wsNotifications: (state, { event, data }) =>
    event === 'snapshot' ? data : [data, ...(state.data ?? [])],
  wsAlerts: alerts,
  wsUserAlerts: alerts,
};

const folded =
  <Kind extends keyof Subjects>(change: Fold<Kind>) =>
  (state: Live<Kind>, told: StreamEvent): Live<Kind> =>
    told.event === 'ended'
      ? { ...state, ended: told.data.reason }
      : ({ data: change(state, told as never), at: told.at } as Live<Kind>);

/** How each channel continues its snapshot. */
export const FOLDS = Object.fromEntries(
  Object.entries(changes).map(([kind, change]) => [kind, folded(change as Fold<'wsBot'>)]),
);
