import { RequestFailed, Unreachable } from '@slipstream/client';
import { isOperation } from '@slipstream/wire/routes';

/** A text of the service without the names of operations in brackets, which are for programs. Other brackets may be of a user's name. */
export const inWords = (text: string): string =>
  text.replace(/ \((\w+)[^()]*\)/g, (all, name: string) => (isOperation(name) ? '' : all));

/** A sentence for the reader: what went wrong, and what to do. */
export function sentenceOf(error: unknown): string {
  if (error instanceof Unreachable)
    return 'The service does not answer. Check your connection, then try again.';
  if (!(error instanceof RequestFailed)) return `Something went wrong here: ${String(error)}`;
  if (error.status === 429)
    return `Too many requests. Try again in ${error.retryAfter ?? 60} seconds.`;
  if (error.status >= 500)
    return `The service cannot do this now. Try again in a moment. (Request ${error.requestId ?? 'without id'})`;
  if (error.status === 401) return 'Sign in to see this.';
  if (error.code === 'unexpected_answer')
    return 'The answer did not come whole, or something between here and the service answered. Try again.';
  return inWords(error.message)
    .replace('Request failed. ', '')
    .replace(/^./, (first) => first.toUpperCase())
    .replace(/[^.!?]$/, '$&.');
}

/** The code of a refusal, for pages that offer a next step. */
export const codeOf = (error: unknown): string | null =>
  error instanceof RequestFailed ? error.code : null;
