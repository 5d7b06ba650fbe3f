import { ZERO, decimal } from '@slipstream/domain';
import { BrokerUnreachable } from '@slipstream/ports';
import { z } from 'zod';

const FIGURE = /^-?\d{1,30}(\.\d{1,40})?(e[+-]?\d{1,2})?$/i;

/** Both exchanges write amounts as text; a few figures of their lists are JSON numbers. */
export const figure = z
  .union([z.string(), z.number().transform(String)])
  .refine((text) => FIGURE.test(text), 'must be a number')
  .transform((text) => decimal(text));

/** What is ordered is something, and what is filled of it is not less than nothing. */
export const ordered = figure.refine((amount) => amount.gt(ZERO), 'must be positive');
export const filled = figure.refine((amount) => amount.gte(ZERO), 'must not be negative');

/** Over a thousand rows: checking each would take longer than reading them. Those that are looked for are checked. */
export const unreadRows = z.custom<Readonly<Record<string, unknown>>>(
  (answer) => typeof answer === 'object' && answer !== null && !Array.isArray(answer),
);

/** A text of a row that is not checked yet. */
export function textIn(title: string, row: unknown, name: string): string {
  const text: unknown =
    typeof row === 'object' && row !== null ? Reflect.get(row, name) : undefined;
  if (typeof text === 'string') return text;
  throw new BrokerUnreachable(`${title} gave an answer that cannot be read: ${name}`);
}

/** An answer as it is meant here; anything else is no answer. */
export function readAs<T>(title: string, schema: z.ZodType<T>, answer: unknown): T {
  const read = schema.safeParse(answer);
  if (read.success) return read.data;
  const place = read.error.issues[0]?.path.join('.');
  throw new BrokerUnreachable(
    `${title} gave an answer that cannot be read: ${place || 'the whole of it'}`,
  );
}
