import { PLACES, VALUE_PLACES, decimal, fromUnits, unitsOf } from '../../numbers/decimal.js';
import type { Timestamp } from '../../ids.js';

/**
 * A span of time with the figures that its drawdown needs, as whole numbers: values in units of `VALUE_PLACES`, the drawdown in
 * units of `PLACES`. They take a fifth of the memory of decimals, and of the time.
 */
export interface UnitSpan {
  readonly high: bigint;
  readonly low: bigint;
  readonly drawdown: bigint;
}

/** A window while its oldest bucket is the one that leaves at `leavesAt`. */
export interface Stage {
  readonly leavesAt: Timestamp;
  readonly past: bigint;
  readonly rest: UnitSpan | null;
}

const isSameSpan = (one: UnitSpan, other: UnitSpan): boolean =>
  one.high === other.high && one.low === other.low && one.drawdown === other.drawdown;

const textOfUnits = (units: bigint, places: number): string => fromUnits(units, places).toFixed();
const unitsOfText = (text: string, places: number): bigint => unitsOf(decimal(text), places);

/** The stages as one text: fields stand between spaces, stages between commas. A rest that is the one of the next stage is left out. */
export const textOf = (stages: readonly Stage[]): string =>
  stages
    .map(({ leavesAt, past, rest }, index) => {
      const next = stages[index + 1]?.rest;
      const fields = [leavesAt, textOfUnits(past, VALUE_PLACES)];
      if (!rest) return [...fields, NO_REST].join(' ');
      if (next && isSameSpan(rest, next)) return fields.join(' ');
      const [high, low] = [rest.high, rest.low].map((one) => textOfUnits(one, VALUE_PLACES));
      return [...fields, high, low, textOfUnits(rest.drawdown, PLACES)].join(' ');
    })
    .join(',');

const NO_REST = '-';

/** The text without so many of its first stages; a part of the very same text, which takes no memory of its own. */
export function withoutFirst(text: string, count: number): string {
  let from = 0;
  for (let left = count; left > 0; left -= 1) from = text.indexOf(',', from) + 1;
  return text.slice(from);
}

/** When the stage ends that begins there. */
export const endOf = (text: string, at = 0): Timestamp =>
  Number(text.slice(at, text.indexOf(' ', at)));

/** The first stage of the text. */
export function stageOf(text: string): Stage {
  const texts = text.split(',') as [string, ...string[]];
  const [first] = texts;
  const [leavesAt, past] = first.split(' ') as [string, string];
  const whole = texts.find((one) => one.indexOf(' ', one.indexOf(' ') + 1) > 0) ?? first;
  const [, , high, low, drawdown] = whole.split(' ');
  const rest =
    high === undefined || low === undefined || drawdown === undefined
      ? null
      : {
          high: unitsOfText(high, VALUE_PLACES),
          low: unitsOfText(low, VALUE_PLACES),
          drawdown: unitsOfText(drawdown, PLACES),
        };
  return { leavesAt: Number(leavesAt), past: unitsOfText(past, VALUE_PLACES), rest };
}

/** The text of the stages that have not ended at `from`; undefined where there are none. */
export function standingAt(stages: string, from: Timestamp): string | undefined {
  for (let at = 0; ;) {
    if (endOf(stages, at) > from) return stages.slice(at);
    const next = stages.indexOf(',', at);
    if (next < 0) return undefined;
    at = next + 1;
  }
}
