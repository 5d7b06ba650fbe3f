import type { BankCharge } from './bank.js';

export const DAY = 86_400_000;
export const MINUTE = 60_000;

/** The same time of day `months` later (UTC), on the last day of a shorter month. */
export function monthsAfter(anchor: number, months: number): number {
  const from = new Date(anchor);
  const [year, month] = [from.getUTCFullYear(), from.getUTCMonth() + months];
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const time = anchor % DAY;
  return Date.UTC(year, month, Math.min(from.getUTCDate(), last)) + time;
}

/** A month of a subscription: charged, or to be charged. */
export interface Month {
  readonly number: number;
  readonly madeAt: number;
  tries: number;
  firstTryAt: number | null;
  dueAt: number | null;
  /** The key of an attempt without an answer. */
  key: string | null;
  declines: number;
  charge: BankCharge | null;
  /** In cents: the total that its payer is to get back, and the owner's percent when it was paid. */
  owed: number;
  settlesAt: number;
  /** What the service knows that banks took and what was given back; null without a dispute that stands. */
  taken: number | null;
  refunded: number;
  /** Before it no refund is asked for again. */
  refundAt: number;
}

/** What a follower agreed to. */
export interface Deal {
  readonly payer: string;
  readonly strategy: Sold;
  /** Whole USD. */
  readonly price: number;
  status: 'pending' | 'active' | 'past_due' | 'cancelled';
  anchor: number | null;
  renewsAt: number | null;
  endsAt: number | null;
  readonly months: Month[];
}

/** A strategy that is sold. */
export interface Sold {
  readonly id: string;
  readonly name: string;
  readonly owner: string;
  /** The service's part. */
  readonly percent: number;
  price: number;
  isOver: boolean;
  isDeleted: boolean;
  isPrivate: boolean;
}

export interface Out {
  readonly id: string;
  readonly owner: string;
  readonly cents: number;
  readonly dueAt: number;
  status: 'pending' | 'processing' | 'paid' | 'failed' | 'cancelled';
}

export const newest = ({ months }: Deal): Month | undefined => months.at(-1);
export const from = (deal: Deal, month: Month): number =>
  monthsAfter(deal.anchor ?? 0, month.number - 1);
export const until = (deal: Deal, month: Month): number =>
  monthsAfter(deal.anchor ?? 0, month.number);
/** What an invoice is for. */
export const titleOf = ({ strategy }: Deal, { number }: Month): string =>
  `${strategy.name}, month ${number}`;
/** Cents as dollars with two places. */
export const dollars = (cents: number): string => (cents / 100).toFixed(2);
/** The middle of a month. */
export const half = (deal: Deal, number: number): number =>
  (monthsAfter(deal.anchor ?? 0, number - 1) + monthsAfter(deal.anchor ?? 0, number)) / 2;

/** To the nearest whole cent, halves to the even one. */
export function halfEven(value: number): number {
  const floor = Math.floor(value + 1e-9);
  const rest = value - floor;
  if (Math.abs(rest - 0.5) > 1e-9) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}
