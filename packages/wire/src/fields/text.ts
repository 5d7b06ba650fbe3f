import { z } from 'zod';
import type { Id } from '@slipstream/domain';
import { holdsToken } from '../access/token-header.js';

/** Printable ASCII is well-formed, in NFC, and each character is a code point. */
const isPlain = (value: string): boolean => /^[ -~]*$/.test(value);
const isClean = (value: string): boolean =>
  !value.includes('\0') && !/[\ud800-\udfff]/u.test(value);

/** Control characters except tabs and line breaks, and marks that change the direction of text: a reader sees something else. */
const MISLEADING = /(?![\t\n\r])[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;
/** Characters that end a line, or leave a gap in it. */
const LINE_BREAK = /[\t\n\r\u2028\u2029]/;
/** Invisible characters: spaces, joiners, fillers. */
const BLANK = /^[\s\p{Z}\p{Cf}\u115f\u1160\u2800\u3164\uffa0]*$/u;

/** No shorter text can contain a token. */
const SHORTEST_TOKEN = 44;

/** A rule beyond those of every text: the reason of a refusal, or undefined. */
type Form = (value: string, least: number) => string | undefined;

const anything: Form = () => undefined;
const notBlank: Form = (value, least) =>
  least > 0 && BLANK.test(value) ? 'must not be blank' : undefined;
const oneLine: Form = (value, least) =>
  LINE_BREAK.test(value) ? 'must be on one line, without tabs' : notBlank(value, least);

/**
 * Text of `least` to `most` code points, stored in NFC; NUL, lone surrogates, misleading characters and access tokens are
 * refused.
 */
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

/** Text of one line: a name, a word, a code. Blank text counts as empty. */
export const line = (most: number, least = 0) => textAs<string>(most, least, oneLine);

/** Text that may have line breaks. */
export const text = (most: number, least = 0) => textAs<string>(most, least, notBlank);

/** Text that is compared and never shown: a password, a sender's own name for an alert. */
export const unshown = (most: number, least: number) => textAs<string>(most, least, anything);

/** An id: it is looked up, its format is not checked (contract 1). */
export const idOf = <Kind extends string>() => textAs<Id<Kind>>(50, 1, oneLine);

/** A stock by `stock_id`, `STOCK:EXCHANGE` or `SYMBOL:EXCHANGE`; the application looks it up. */
export const stockRef = line(50, 1).meta({
  minLength: 1,
  maxLength: 50,
  description: 'stock_id, STOCK:EXCHANGE or SYMBOL:EXCHANGE, in any case.',
});
