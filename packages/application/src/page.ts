import type { Page } from '@slipstream/ports';

/** The page of a list that a request asks for. */
export interface PageRequest {
  readonly limit?: number | undefined;
  /** The id of the last item of the page before. */
  readonly cursor?: string | undefined;
}

/** Items of a page when the request names no limit. */
export const DEFAULT_LIMIT = 100;

/** The page that is read. */
export const pageOf = ({ limit = DEFAULT_LIMIT, cursor }: PageRequest): Page => ({ limit, cursor });
