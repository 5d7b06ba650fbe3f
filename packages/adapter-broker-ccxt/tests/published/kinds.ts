import { z } from 'zod';

/** The kinds of fields as venues write them: amounts are text, so that no digit is lost. */
export const text = z.string();
export const amountText = z.string().regex(/^-?\d+(\.\d+)?$/);
/** Text that may still be empty. */
export const amountOrNone = z.union([amountText, z.literal('')]);
export const flag = z.boolean();
export const count = z.int();
export const seconds = z.number().min(1e9).max(1e11);
export const isoTime = z.iso.datetime({ offset: true });

/** A row with these fields: those that this adapter reads must be there, the other documented ones may. No other field may be there. */
export const row = <Read extends z.ZodRawShape, Other extends z.ZodRawShape>(
  read: Read,
  other: Other,
) => z.strictObject({ ...read, ...z.object(other).partial().shape });
