import type { Log } from '@slipstream/ports';
import { envelope } from '@slipstream/wire';
import type { Response } from 'express';
import type { EncodedBody } from './encoded-body.js';
import { failureOf } from './failures.js';
import { send } from './send.js';

/** An answer, however it is sent. */
export interface PlainAnswer {
  readonly status: number;
  /** Beside those that every answer has. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: EncodedBody;
}

const NO_CONTENT = 204;

/** An answer without a body. */
export const noContent = (headers: PlainAnswer['headers']): PlainAnswer => ({
  status: NO_CONTENT,
  headers,
  body: '',
});

/** The code of what caused an error, or its name: texts of databases may quote what was stored. */
const causeOf = ({ cause }: Error): string | undefined => {
  if (!(cause instanceof Error)) return undefined;
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name;
};

/** The answer to a failure: in the envelope. One that is unexpected is logged. */
export function failedAnswer(log: Log, error: unknown, requestId: string): PlainAnswer {
  const { status, code, response, headers, unexpected } = failureOf(error);
  if (unexpected) {
    const failure = error instanceof Error ? error : new Error(String(error));
    const { name, message, stack } = failure;
    log.error(
      { request_id: requestId, error: name, message, cause: causeOf(failure), stack },
      'request failed',
    );
  }
  return {
    status,
    headers: { ...headers, 'X-Error-Code': code, 'Content-Type': 'application/json' },
    body: envelope(false, response),
  };
}

/** Sends an answer with its headers. */
export function sendAnswer(response: Response, { status, headers, body }: PlainAnswer): void {
  const { 'Content-Type': type, ...others } = headers;
  for (const [name, value] of Object.entries(others)) response.setHeader(name, value);
  if (type === undefined) response.status(status).end();
  else send(response, status, type, body);
}
