import type { Log } from '@slipstream/ports';
import type { ErrorRequestHandler, Request, Response } from 'express';
import { ClientGone } from '../requests/body.js';
import { failedAnswer, sendAnswer } from './plain-answer.js';

/** Answers with the failure in the envelope. Express recognises an error handler by its four parameters. */
export function answerFailure(log: Log): ErrorRequestHandler {
  return (error: unknown, _request: Request, response: Response, _next) => {
    const isGone = error instanceof ClientGone;
    const failed = isGone
      ? undefined
      : failedAnswer(log, error, response.locals['requestId'] as string);
    // Not the request: once it has come whole, that would leave the connection open, and the client waiting.
    if (!failed || response.headersSent) response.destroy();
    else sendAnswer(response, failed);
  };
}
