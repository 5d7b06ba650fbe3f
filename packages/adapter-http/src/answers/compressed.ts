import compression from 'compression';
import type { RequestHandler } from 'express';
import { isAlert, operationAt } from '../operations/operation-service.js';

/** Octets; a shorter answer is sent as it is (contract 14). */
const LEAST = 4 * 1024;

/**
 * Compresses long answers of callers that ask for it, outside the event loop. Answers to alerts are short, and their senders
 * wait for each millisecond. Compression tells a listener nothing: no request carries a credential by itself.
 */
export function compressed(): RequestHandler {
  const compress = compression({ threshold: LEAST });
  return (request, response, next) => {
    const operation = operationAt(request.path);
    const asksForIt = request.headers['accept-encoding'] !== undefined;
    if (asksForIt && !(operation && isAlert(operation))) compress(request, response, next);
    else next();
  };
}
