/** The envelope of every answer (spec 1): exactly these two keys. */
export const envelope = (success: boolean, response: unknown): string =>
  JSON.stringify({ success, response });

/** The response of a 401, exactly (spec 7). */
export const AUTHENTICATION_FAILED = 'Authentication failed.';

/** The response of any other failure, with its reason (contract 1, "Failures"). */
export const requestFailed = (reason: string): string =>
  `Request failed. ${reason}${/[.!?]$/.test(reason) ? '' : '.'}`;
