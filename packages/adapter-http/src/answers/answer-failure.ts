import type { Log } from '@slipstream/ports';
import { envelope } from '@slipstream/wire';
import type { ErrorRequestHandler, Request, Response } from 'express';
import { send } from '../pages/service-pages.js';
import { ClientGone } from '../requests/body.js';
import { failureOf } from './failures.js';

/** Answers with the failure in the envelope. Express recognises an error handler by its four parameters. */
export function answerFailure(log: Log): ErrorRequestHandler {
  return (error: unknown, request: Request, response: Response, _next) => {
    const { status, code, response: sentence, headers, unexpected } = failureOf(error);
    if (error instanceof ClientGone || response.headersSent) {
      request.destroy();
      return;
    }
    if (unexpected) {
      const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
      const request_id = response.locals['requestId'] as string;
      log.error({ request_id, error: name, message, stack }, 'request failed');
    }
    for (const [header, value] of Object.entries(headers)) response.setHeader(header, value);
    response.setHeader('X-Error-Code', code);
    send(response, status, 'application/json', envelope(false, sentence));
  };
}
