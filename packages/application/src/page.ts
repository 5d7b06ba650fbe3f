import { Refusal, type Timestamp } from '@slipstream/domain';
import type { Page } from '@slipstream/ports';

/** The page of a list that a request asks for. */
export interface PageRequest {
  readonly limit?: number | undefined;
  /** The id of the last item of the page before. */
  readonly cursor?: string | undefined;
  /** Only items made at that moment or later. */
  readonly from?: Timestamp | undefined;
  /** Only items made before that moment. */
  readonly to?: Timestamp | undefined;
}

/** Items of a page when the request names no limit. */
export const DEFAULT_LIMIT = 100;

/** The page that is read. */
export function pageOf({ limit = DEFAULT_LIMIT, cursor, from, to }: PageRequest): Page {
  if (from !== undefined && to !== undefined && from >= to)
    throw new Refusal('invalid_field', 'from must be before to');
  return { limit, cursor, from, to };
}
