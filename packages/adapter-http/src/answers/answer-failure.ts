import type { Log } from '@slipstream/ports';
import { envelope } from '@slipstream/wire';
import type { ErrorRequestHandler, Request, Response } from 'express';
import { send } from '../pages/service-pages.js';
import { ClientGone } from '../requests/body.js';
import { failureOf } from './failures.js';

/** Answers with the failure in the envelope. Express recognises an error handler by its four parameters. */
export function answerFailure(log: Log): ErrorRequestHandler {
  return (error: unknown, _request: Request, response: Response, _next) => {
    const { status, code, response: sentence, headers, unexpected } = failureOf(error);
    const isGone = error instanceof ClientGone;
    if (unexpected && !isGone) {
      const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
      const request_id = response.locals['requestId'] as string;
      log.error({ request_id, error: name, message, stack }, 'request failed');
    }
    if (isGone || response.headersSent) {
      // Not the request: once it has come whole, that would leave the connection open, and the client waiting.
      response.destroy();
      return;
    }
    for (const [header, value] of Object.entries(headers)) response.setHeader(header, value);
    response.setHeader('X-Error-Code', code);
    send(response, status, 'application/json', envelope(false, sentence));
  };
}
