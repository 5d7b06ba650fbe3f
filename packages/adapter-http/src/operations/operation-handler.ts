import type { Log } from '@slipstream/ports';
import { ALLOWED } from '../answers/methods.js';
import { type PlainAnswer, failedAnswer, noContent } from '../answers/plain-answer.js';
import { ClientGone } from '../requests/body.js';
import type { Cors } from '../requests/cors.js';
import { type AnswersTo, requireOwnHost } from '../requests/host-names.js';
import type { PlainRequest } from '../requests/plain-request.js';
import {
  type OperationService,
  type RequestContext,
  type Served,
  perform,
} from './operation-service.js';

/** Answers a request for an operation. Throws `ClientGone` only. */
export type OperationHandler = (
  operation: Served,
  request: PlainRequest,
  context: RequestContext,
) => Promise<PlainAnswer>;

/** What holds for every operation. */
export interface OperationRules {
  readonly service: OperationService;
  readonly answersTo: AnswersTo;
  readonly cors: Cors;
  readonly log: Log;
}

/** The operations, for requests however they came. */
export function operationHandler({
  service,
  answersTo,
  cors,
  log,
}: OperationRules): OperationHandler {
  return async (operation, request, context) => {
    let ofOrigin: PlainAnswer['headers'] = {};
    try {
      requireOwnHost(request.headers.host, answersTo);
      const { headers, isPreflight } = cors(request);
      ofOrigin = headers;
      if (isPreflight) return noContent(headers);
      if (request.method === 'OPTIONS')
        return noContent({ ...headers, Allow: ALLOWED[operation.method] });
      const { type, body, headers: ofType } = await perform(service, operation, request, context);
      return { status: 200, headers: { ...headers, 'Content-Type': type, ...ofType }, body };
    } catch (error) {
      if (error instanceof ClientGone) throw error;
      const failed = failedAnswer(log, error, context.requestId);
      return { ...failed, headers: { ...ofOrigin, ...failed.headers } };
    }
  };
}
