import {
  type Decimal,
  type Id,
  type Rounding,
  TWO,
  ZERO,
  decimal,
  divide,
  isMultipleOf,
  round18,
} from '@slipstream/domain';
import { z } from 'zod';
import { holdsToken } from './token-header.js';

const DECIMAL_TEXT = /^-?(0|[1-9]\d{0,17})(\.\d{1,18})?$/;
const MALFORMED =
  'must be a decimal: text like "-12.5" (at most 18 digits before and after the point) or a number';

/**
 * What stands there when a caller wrote `value`; undefined when it is no decimal of contract 1. A JSON number counts by its
 * shortest decimal form, which has at most 17 significant digits; what a program computed may have more than 18 places.
 */
function readDecimal(value: string | number, rounding: Rounding): Decimal | undefined {
  if (typeof value === 'string') return DECIMAL_TEXT.test(value) ? decimal(value) : undefined;
  if (!Number.isFinite(value)) return undefined;
  const read = round18(decimal(String(value)), rounding);
  return DECIMAL_TEXT.test(read.toFixed()) ? read : undefined;
}

const NUMERIC_TEXT = /^[+-]?\d{1,40}(\.\d{0,40})?(e[+-]?\d{1,2})?$/i;

/** The number that anything says, as a program would read it; undefined when it says none. */
export function anyDecimal(value: unknown): Decimal | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !NUMERIC_TEXT.test(text.trim())) return undefined;
  return decimal(
    text
      .trim()
      .replace(/^\+/, '')
      .replace(/\.(?=e|$)/i, ''),
  );
}

/** How a number of too many places is cut, and how the decimal is taken before it is checked. */
interface Reading {
  readonly rounding?: Rounding;
  readonly read?: (value: Decimal) => Decimal;
}

/** Off a limit or a step by no more than this, a figure is taken for it: programs compute with binary floats (contract 7b.5). */
const TOLERANCE = decimal('0.000000000001');
const isNear = (one: Decimal, other: Decimal): boolean => one.minus(other).abs().lte(TOLERANCE);

const toLimits =
  (...limits: readonly Decimal[]) =>
  (value: Decimal): Decimal =>
    limits.find((limit) => isNear(value, limit)) ?? value;

const toStep =
  (step: Decimal) =>
  (value: Decimal): Decimal => {
    const nearest = divide(value, step).round(0).times(step);
    return isNear(value, nearest) ? nearest : value;
  };

/** A decimal in a request that also passes `check`; `rule` finishes the sentence "slippage …". */
const decimalThat = (
  rule: string,
  check: (value: Decimal) => boolean,
  meta: Readonly<Record<string, unknown>> = {},
  { rounding = 'half_even', read: taken = (value) => value }: Reading = {},
) =>
  z
    .union([z.string(), z.number()], { error: MALFORMED })
    .transform((value, context): Decimal => {
      const written = readDecimal(value, rounding);
      const read = written && taken(written);
      if (read && check(read)) return read;
      context.addIssue({ code: 'custom', message: read ? rule : MALFORMED });
      return z.NEVER;
    })
    .meta({ description: `A decimal, as text or a JSON number${rule && `; ${rule}`}.`, ...meta });

/** A fraction from `from` to `to` in whole steps. The range is told before the step. */
function stepped(from: string, to: string, step: string, meta: Readonly<Record<string, unknown>>) {
  const [least, most, unit] = [decimal(from), decimal(to), decimal(step)];
  const range = decimalThat(
    `must be between ${from} and ${to}`,
    (value) => value.gte(least) && value.lte(most),
    {},
    { read: toStep(unit) },
  );
  return range
    .refine((value) => isMultipleOf(value, unit), { error: `must be a multiple of ${step}` })
    .meta({ description: `A decimal from ${from} to ${to}, multiple of ${step}.`, ...meta });
}

/** Any decimal (contract 1, "Validation"). */
export const decimalInput = decimalThat('', () => true);
/** A decimal above zero. */
export const positive = decimalThat('must be greater than 0', (value) => value.gt(ZERO));
/** `amount` or `total`: what has more than 18 places is cut down, so that it is never more than was meant. */
export const positiveSize = decimalThat(
  'must be greater than 0',
  (value) => value.gt(ZERO),
  {},
  { rounding: 'down' },
);
/** Fraction reserved when sizing (spec 8). */
export const slippage = stepped('0', '0.05', '0.001', { examples: ['0.002'] });
/** Leverage of an alert; 0 closes (spec 4.4). */
export const leverage = stepped('0', '2', '0.01', { examples: ['1'] });
/** Leverage of a bot (contract 2). */
export const botLeverage = stepped('0.01', '2', '0.01', { examples: ['1'] });
/** Target of an allocation; negative is short, 0 closes (contract 3). */
export const percent = decimalThat(
  'must be between -2 and 2',
  (value) => value.abs().lte(TWO),
  { examples: ['0.25'] },
  { read: toLimits(TWO, ZERO.minus(TWO)) },
);
/** Share of a bot's account (contract 4). */
export const botPercent = decimalThat(
  'must be between 0 and 2',
  (value) => value.gte(ZERO) && value.lte(TWO),
  {},
  { read: toLimits(ZERO, TWO) },
);
const TENTH = decimal('0.1');
/** A stock's fee or slippage (contract 2). */
export const stockFraction = decimalThat(
  'must be between 0 and 0.1',
  (value) => value.gte(ZERO) && value.lte(TENTH),
  {},
  { read: toLimits(ZERO, TENTH) },
);
/** Entry steps of an alert (spec 4.4); alert templates may send text. */
export const pyramiding = z
  .union([z.string(), z.number()], { error: 'must be an integer from 1 to 100' })
  .transform((value, context): number => {
    const steps = /^\d{1,3}(\.0{1,18})?$/.test(String(value)) ? Number(value) : 0;
    if (steps >= 1 && steps <= 100) return steps;
    context.addIssue({ code: 'custom', message: 'must be an integer from 1 to 100' });
    return z.NEVER;
  })
  .meta({ description: 'An integer from 1 to 100.' });

/** Printable ASCII: well-formed, NFC, and a character is a code point. */
const isPlain = (value: string): boolean => /^[ -~]*$/.test(value);
const isClean = (value: string): boolean =>
  !value.includes('\0') && !/[\ud800-\udfff]/u.test(value);

/** Control characters, but tabs and line breaks, and marks that turn the direction of text: a reader sees something else. */
const MISLEADING = /(?![\t\n\r])[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;
/** What ends a line, or leaves a gap in it. */
const LINE_BREAK = /[\t\n\r\u2028\u2029]/;
/** Nothing of it can be seen: spaces, joiners, fillers. */
const BLANK = /^[\s\p{Z}\p{Cf}\u115f\u1160\u2800\u3164\uffa0]*$/u;

/** No shorter text can hold a token. */
const SHORTEST_TOKEN = 44;

/** What is refused in it beside what no text may have; undefined when it may stay. */
type Form = (value: string, least: number) => string | undefined;

const anything: Form = () => undefined;
const notBlank: Form = (value, least) =>
  least > 0 && BLANK.test(value) ? 'must not be blank' : undefined;
const oneLine: Form = (value, least) =>
  LINE_BREAK.test(value) ? 'must be on one line, without tabs' : notBlank(value, least);

/** Text of `least` to `most` code points, kept as NFC; NUL, lone surrogates, what misleads a reader and access tokens are refused. */
const textAs = <Text extends string>(most: number, least: number, form: Form) => {
  const isWithin = (size: number): boolean => size >= least && size <= most;
  const rule =
    least > 0 ? `must have ${least} to ${most} characters` : `must have at most ${most} characters`;
  return z
    .string({ error: 'must be a string' })
    .transform((value, context): Text => {
      const refuse = (message: string): never => {
        context.addIssue({ code: 'custom', message });
        return z.NEVER;
      };
      if (value.length >= SHORTEST_TOKEN && holdsToken(value))
        return refuse('must not hold a token: whoever reads it could use it');
      const take = (kept: string, size: number): Text => {
        const problem = isWithin(size) ? form(kept, least) : rule;
        return problem === undefined ? (kept as Text) : refuse(problem);
      };
      if (isPlain(value)) return take(value, value.length);
      if (!isClean(value)) return refuse('must be well-formed text without NUL');
      if (MISLEADING.test(value))
        return refuse('must not have control characters or marks that turn the direction of text');
      const kept = value.normalize('NFC');
      return take(kept, [...kept].length);
    })
    .meta({ maxLength: most, ...(least > 0 && { minLength: least }) });
};

/** Text of one line: a name, a word, a code. Blank is none. */
export const line = (most: number, least = 0) => textAs<string>(most, least, oneLine);

/** Text that may have line breaks. */
export const text = (most: number, least = 0) => textAs<string>(most, least, notBlank);

/** Text that is compared and never shown: a password, a sender's own name for an alert. */
export const unshown = (most: number, least: number) => textAs<string>(most, least, anything);

/** An id: looked up, not format-checked (contract 1). */
export const idOf = <Kind extends string>() => textAs<Id<Kind>>(50, 1, oneLine);

/** A stock by `stock_id`, `STOCK:EXCHANGE` or `SYMBOL:EXCHANGE`; the application looks it up. */
export const stockRef = line(50, 1).meta({
  minLength: 1,
  maxLength: 50,
  description: 'stock_id, STOCK:EXCHANGE or SYMBOL:EXCHANGE, in any case.',
});

/** What no rule of a text of 1 to 50 characters changes or refuses: nearly every id. */
const isPlainName = (value: string): boolean => /^[ -~]{1,50}$/.test(value);

/**
 * Names in a query, ids or instruments: at most 100, duplicates count once (contract 1, "Arrays in queries"). What is plain
 * is not put through the schema of the item.
 */
export const several = <Name extends string>(item: z.ZodType<Name>) =>
  z
    .array(z.string({ error: 'must be a string' }).meta(item.meta() ?? {}), {
      error: 'must be an array',
    })
    .min(1, { error: 'is required' })
    .max(100, { error: 'must have at most 100 items' })
    .transform((items, context): Name[] => {
      const names = new Set<Name>();
      for (const [index, text] of items.entries()) {
        const read = isPlainName(text) ? undefined : item.safeParse(text);
        if (!read || read.success) names.add(read ? read.data : (text as Name));
        else
          for (const { message } of read.error.issues)
            context.addIssue({ code: 'custom', message, path: [index] });
      }
      return [...names];
    });

/** One word of a fixed list. */
export const oneOf = <const Words extends readonly string[]>(words: Words) =>
  z.enum(words, { error: `must be ${listed(words)}` });

/** A set of words of a fixed list; twice the same counts once. */
export const setOf = <const Words extends readonly string[]>(words: Words) =>
  z
    .array(oneOf(words), { error: 'must be an array' })
    .max(100, { error: 'must have at most 100 items' })
    .transform((items) => [...new Set(items)]);

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

export const flag = z.boolean({ error: 'must be true or false' });

/** A moment in a request, with its offset: milliseconds since 1970. */
export const moment = z.iso
  .datetime({
    offset: true,
    error: 'must be an ISO 8601 time with its offset, like 2026-01-31T09:30:00Z',
  })
  .transform((value) => Date.parse(value));

/** How many to answer (contract 1, "Lists that grow"). */
export const limit = z
  .string({ error: 'must be an integer from 1 to 100' })
  .transform((value, context): number => {
    const count = /^\d{1,3}$/.test(value) ? Number(value) : 0;
    if (count >= 1 && count <= 100) return count;
    context.addIssue({ code: 'custom', message: 'must be an integer from 1 to 100' });
    return z.NEVER;
  })
  .meta({ type: 'integer', minimum: 1, maximum: 100 });
/** The id after which to go on (contract 1). */
export const cursor = line(50, 1).meta({ minLength: 1, maxLength: 50 });

/** Whole USD a month (contract 2). */
export const monthlyPrice = z
  .int({ error: 'must be a whole number of USD' })
  .min(0, { error: 'must not be negative' })
  .max(1_000_000, { error: 'must be at most 1000000' });
/** Free labels (contract 2, "Strategy"). */
export const categories = z
  .array(line(32, 1), { error: 'must be an array' })
  .max(10, { error: 'must have at most 10 items' })
  .transform((items) => [...new Set(items)]);

/** One that somebody signs in by; older accounts may have what is no longer taken. Kept in lower case. */
export const givenEmail = line(254, 3)
  .transform((value) => value.trim().toLowerCase())
  .refine((value) => /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(value), {
    error: 'must be an e-mail address',
  });

/** By HTML's grammar, which no mail server reads otherwise: ASCII, no quotes, comments or lists. */
const isMailbox = (value: string): boolean => {
  const [local = '', domain = ''] = value.split('@');
  return (
    z.regexes.html5Email.test(value) &&
    local.length <= 64 &&
    !local.split('.').includes('') &&
    domain.length <= 253 &&
    // A host of its own name, and no address in numbers.
    /\.[a-z][a-z\d-]*[a-z\d]$/.test(domain)
  );
};

/** A new one, which has to be written as every mail server reads it. */
export const email = givenEmail.refine(isMailbox, { error: 'must be an e-mail address' });
/** A password to be set; a given one is only bounded. */
export const newPassword = unshown(200, 8);
export const givenPassword = unshown(200, 1);
