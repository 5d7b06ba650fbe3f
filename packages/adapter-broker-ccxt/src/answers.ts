import { decimal } from '@slipstream/domain';
import { BrokerUnreachable } from '@slipstream/ports';
import { z } from 'zod';

const FIGURE = /^-?\d{1,30}(\.\d{1,40})?(e[+-]?\d{1,2})?$/i;

/** Both exchanges write amounts as text; a few figures of their lists are JSON numbers. */
export const figure = z
  .union([z.string(), z.number().transform(String)])
  .refine((text) => FIGURE.test(text), 'must be a number')
  .transform((text) => decimal(text));

/** An answer as it is meant here; anything else is no answer. */
export function readAs<T>(title: string, schema: z.ZodType<T>, answer: unknown): T {
  const read = schema.safeParse(answer);
  if (read.success) return read.data;
  const place = read.error.issues[0]?.path.join('.');
  throw new BrokerUnreachable(
    `${title} gave an answer that cannot be read: ${place || 'the whole of it'}`,
  );
}
