/** The service said no: what it answered instead of a response (contract 1, "Failures"). */
export class RequestFailed extends Error {
  override readonly name = 'RequestFailed';
  constructor(
    readonly status: number,
    /** `X-Error-Code`, for programs; `unexpected_answer` when what answered is not the service. */
    readonly code: string,
    /** The service's sentence, as it stands in the envelope. */
    message: string,
    /** `X-Request-Id`, to be named to whoever runs the server. */
    readonly requestId: string | null,
    /** Whole seconds that the service asks to wait before the next attempt. */
    readonly retryAfter: number | null = null,
  ) {
    super(message);
  }
}

/** No answer came; whether the request was served is not known. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
  constructor(url: string, options: { readonly cause: unknown }) {
    super(`${url} cannot be reached (${reasonOf(options.cause)})`, options);
  }
}

/** `fetch` hides the reason in the cause of its error. */
function reasonOf(error: unknown): string {
  const { cause = error } = error as { readonly cause?: unknown };
  const { code, message } = cause as { readonly code?: string; readonly message?: string };
  return code ?? message ?? String(cause);
}
