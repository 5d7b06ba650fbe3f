import { z } from 'zod';
import { DAY, dayStart } from '@slipstream/domain';
import { line } from './text.js';

/** Text of 1 to 50 characters that no rule changes or refuses: nearly every id. */
const isPlainName = (value: string): boolean => /^[ -~]{1,50}$/.test(value);

/**
 * Names in a query, ids or instruments: at most 100, duplicates count once (contract 1, "Arrays in queries"). Plain names
 * skip the schema of the item.
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

/** A set of words of a fixed list; duplicates count once. */
export const setOf = <const Words extends readonly string[]>(words: Words) =>
  z
    .array(oneOf(words), { error: 'must be an array' })
    .max(100, { error: 'must have at most 100 items' })
    .transform((items) => [...new Set(items)]);

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

export const flag = z.boolean({ error: 'must be true or false' });

/** The first and the last moment that an answer can name in UTC with four digits of its year. */
const [FIRST, LAST] = [Date.parse('0000-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')];

/** A moment in a request, with its offset: milliseconds since 1970. */
export const moment = z.iso
  .datetime({
    offset: true,
    error: 'must be an ISO 8601 time with its offset, like 2026-01-31T09:30:00Z',
    abort: true,
  })
  .refine((value) => Date.parse(value) >= FIRST && Date.parse(value) <= LAST, {
    error: 'must lie in the years 0000 to 9999 (UTC)',
  })
  .transform((value) => Date.parse(value));

/** A day in a query, as it is written: `2026-01-31`. */
export const day = z.iso.date({ error: 'must be a date like 2026-01-31' });

/** A moment, or a day for its start or its end (UTC): milliseconds since 1970. */
export const momentOrDay = (part: 'start' | 'end') =>
  z.union([day.transform((date) => dayStart(date) + (part === 'end' ? DAY : 0)), moment], {
    error: 'must be a date like 2026-01-31, or an ISO 8601 time with its offset',
  });

/** A whole number in a query. */
export function wholeNumber(least: number, most: number) {
  const message = `must be an integer from ${least} to ${most}`;
  return z
    .string({ error: message })
    .transform((value, context): number => {
      const count = /^\d{1,9}$/.test(value) ? Number(value) : -1;
      if (count >= least && count <= most) return count;
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    })
    .meta({ type: 'integer', minimum: least, maximum: most });
}

/** The number of answered items (contract 1, "Lists that grow"). */
export const limit = wholeNumber(1, 100).meta({
  ...{ type: 'integer', minimum: 1, maximum: 100 },
  description: 'How many items at most.',
});
/** The id after which the list continues (contract 1). */
export const cursor = line(50, 1).meta({
  ...{ minLength: 1, maxLength: 50 },
  description: 'The id of the last item of the page before: the list goes on after it.',
});
/** Free labels (contract 2, "Strategy"). */
export const categories = z
  .array(line(32, 1), { error: 'must be an array' })
  .max(10, { error: 'must have at most 10 items' })
  .transform((items) => [...new Set(items)])
  .meta({ description: 'Free labels by which it is found.' });
