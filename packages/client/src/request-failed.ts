/** The service refused the request: the answer that came instead of a response (contract 1, "Failures"). */
export class RequestFailed extends Error {
  override readonly name = 'RequestFailed';
  constructor(
    readonly status: number,
    /** `X-Error-Code`, for programs; `unexpected_answer` when what answered is not the service. */
    readonly code: string,
    /** The service's sentence, as in the envelope. */
    message: string,
    /** `X-Request-Id`, for the operator of the server. */
    readonly requestId: string | null,
    /** Whole seconds that the service asks to wait before the next attempt. */
    readonly retryAfter: number | null = null,
  ) {
    super(message);
  }
}

/** No connection could be opened, so the request was not sent. */
const NOBODY_THERE =
  /^(E(CONNREFUSED|NOTFOUND|AI_AGAIN|(HOST|NET)UNREACH)|.*_CONNECT_TIMEOUT|ERR_INVALID_URL|bad port)$/;

/** No answer came; whether the request was served is not known, unless `isNobodyThere`. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
  /** No server listens at the address: the request was not sent. */
  readonly isNobodyThere: boolean;
  constructor(url: string, options: { readonly cause: unknown }) {
    const reason = reasonOf(options.cause);
    super(`${url} cannot be reached (${reason})`, options);
    this.isNobodyThere = NOBODY_THERE.test(reason);
  }
}

/** Whether the request may have been served although its answer did not come: a repeat under another key could do it twice. */
export const isOutcomeUnknown = (error: unknown): boolean =>
  error instanceof RequestFailed
    ? error.code === 'unexpected_answer'
    : error instanceof Unreachable && !error.isNobodyThere;

/** `fetch` hides the reason in the cause of its error. */
function reasonOf(error: unknown): string {
  const { cause = error } = error as { readonly cause?: unknown };
  const { code, message } = cause as { readonly code?: string; readonly message?: string };
  return code ?? message ?? String(cause);
}
