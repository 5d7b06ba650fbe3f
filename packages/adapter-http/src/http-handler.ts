import type { Application, Caller } from '@slipstream/application';
import type { Log } from '@slipstream/ports';
import express, { type Express } from 'express';
import { answerFailure } from './answers/answer-failure.js';
import { setFixedHeaders } from './answers/fixed-headers.js';
import { tellDelivery } from './requests/alert-delivery.js';
import { identifier } from './requests/callers.js';
import { serveConnectPage } from './pages/connect-page.js';
import { type Dashboard, serveDashboard } from './pages/dashboard-pages.js';
import { serveGuide } from './pages/guide-pages.js';
import { cors } from './requests/cors.js';
import { compressed } from './answers/compressed.js';
import { TransportFailure } from './answers/failures.js';
import { type Lanes, lanes } from './limits/lanes.js';
import { requireReadsLeft } from './limits/rate-limits.js';
import { type PlainAnswer, noContent, sendAnswer } from './answers/plain-answer.js';
import { operationHandler } from './operations/operation-handler.js';
import type { Patience } from './operations/begun-in-time.js';
import { type OperationService, isAlert, operationAt } from './operations/operation-service.js';
import { type PlainRequest, pathOf, plainRequest } from './requests/plain-request.js';
import { servePaymentNotices } from './pages/payment-notices.js';
import { type AnswersTo, requireOneHost, requireOwnHost } from './requests/host-names.js';
import { type ServicePages, servePages } from './pages/service-pages.js';

/** The application, and the settings of its server. */
export interface HttpOptions extends ServicePages {
  readonly application: Pick<Application, 'requests'>;
  readonly log: Log;
  /** Makes the id of each request. */
  readonly newId: () => string;
  /** Where costly requests of a caller wait for each other; its own by default. */
  readonly lanes?: Lanes;
  /** Elapsed milliseconds, for measurements; the host's by default. */
  readonly elapsed?: () => number;
  /** The token for the operator's operations and newUser; without it nobody may call them. */
  readonly operatorToken?: string | undefined;
  /** The path of the payment gateway's webhook, if it has one. */
  readonly paymentNotices?: string | undefined;
  /** Origins of pages that may call; none by default. */
  readonly corsOrigins: readonly string[];
  /** The names of the server in Host headers; any by default. */
  readonly answersTo?: AnswersTo;
  /** The pages for browsers; none by default. */
  readonly dashboard?: Dashboard | undefined;
  /** The folder of the built documentation, served at `/guide`; none by default. */
  readonly guide?: string | undefined;
  /** How many proxies, or which addresses, may forward the client's address: express' `trust proxy`. */
  readonly trustProxy: number | string | false;
}

/** An alert that has not begun by then gets a 503: its sender gives up after 3 s, and sends again what got one (contract 3). */
const ALERT_DEADLINE = 2_500;

/** An express application without anything that express adds to answers. */
export function plainApp(trustProxy: HttpOptions['trustProxy']): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  // A proxy's rule for a path must not be evaded by another spelling.
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.set('trust proxy', trustProxy);
  return app;
}

/** The operations and the pages, for clients and for other nodes. */
export interface HttpHandler {
  /** Every operation of the table and the service pages, as an express application (contract 1, 5 and 7). */
  readonly app: Express;
  /** The same operations, for requests that another node took `waited` milliseconds ago. */
  answer(request: PlainRequest, requestId: string, waited: number): Promise<PlainAnswer>;
}

/** Serves the application. */
export function httpHandler(options: HttpOptions): HttpHandler {
  const { requests } = options.application;
  const { log, newId, operatorToken, elapsed = () => performance.now() } = options;
  const service: OperationService = {
    requests,
    identify: identifier(requests, operatorToken),
    limiter: options.limiter,
    lanes: options.lanes ?? lanes(),
  };
  const { answersTo = () => true } = options;
  const ofOrigin = cors(options.corsOrigins);
  const operate = operationHandler({ service, answersTo, cors: ofOrigin, log });
  const record = recorder(options);
  const patienceOf = (startedAt: number): Patience => {
    const left = (): number => startedAt + ALERT_DEADLINE - elapsed();
    return { left, isWanted: () => left() > 0 };
  };
  const app = plainApp(options.trustProxy);

  app.use((request, response, next) => {
    const startedAt = elapsed();
    const requestId = newId();
    response.locals['startedAt'] = startedAt;
    response.locals['requestId'] = requestId;
    setFixedHeaders(response, requestId);
    const { method, path } = request;
    response.once('close', () => {
      const status = response.writableFinished ? response.statusCode : 499;
      const tokenId = response.locals['tokenId'] as string | undefined;
      const isPage = response.locals['isPage'] === true;
      record({ method, path, isPage, status, ms: elapsed() - startedAt, requestId, tokenId });
    });
    next();
  });
  app.use(compressed());
  app.use(async (request, response, next) => {
    const operation = operationAt(request.path);
    if (!operation) {
      next();
      return;
    }
    const requestId = response.locals['requestId'] as string;
    const answer = await operate(operation, plainRequest(request), {
      requestId,
      onCaller: (caller) => (response.locals['tokenId'] = tokenIdOf(caller)),
      patience: patienceOf(response.locals['startedAt'] as number),
    });
    if (isAlert(operation) && answer.status === 200)
      tellDelivery(requests, request, response, requestId);
    sendAnswer(response, answer);
  });
  app.use((request, response, next) => {
    requireOneHost(request);
    requireOwnHost(request.headers.host, answersTo);
    const { headers, isPreflight } = ofOrigin(request);
    if (isPreflight) sendAnswer(response, noContent(headers));
    else {
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      next();
    }
  });
  servePages(app, options);
  serveConnectPage(app, service.limiter);
  if (options.dashboard) serveDashboard(app, options.dashboard, service.limiter);
  if (options.guide !== undefined) serveGuide(app, options.guide, service.limiter);
  servePaymentNotices(app, requests, options.paymentNotices);
  app.use(async (request) => {
    await requireReadsLeft(service.limiter, request);
    throw new TransportFailure(404, 'unknown_path', 'there is no such path');
  });
  app.use(answerFailure(log));

  return {
    app,
    async answer(request, requestId, waited) {
      const startedAt = elapsed() - waited;
      const path = pathOf(request);
      const operation = operationAt(path);
      if (!operation) throw new Error(`${path} is no operation`);
      let tokenId: string | undefined;
      const answer = await operate(operation, request, {
        requestId,
        onCaller: (caller) => (tokenId = tokenIdOf(caller)),
        patience: patienceOf(startedAt),
      });
      const { method } = request;
      const { status } = answer;
      const ms = elapsed() - startedAt;
      record({ method, path, isPage: false, status, ms, requestId, tokenId });
      return answer;
    },
  };
}

/** An answered request, for the log and the metrics. */
interface Answered {
  readonly method: string;
  readonly path: string;
  /** Whether the path is a page's. */
  readonly isPage: boolean;
  readonly status: number;
  readonly ms: number;
  readonly requestId: string;
  readonly tokenId: string | undefined;
}

/** Logs and counts requests at their end. */
function recorder({ log, metrics }: HttpOptions) {
  return ({ method, path, isPage, status, ms, requestId, tokenId }: Answered): void => {
    const operation = operationAt(path);
    metrics?.observe(operation?.name ?? 'unknown', status, ms / 1000);
    log.info(
      {
        method,
        // Somebody may have put a token into the path.
        path: operation || isPage ? path.slice(0, 100) : '(unknown)',
        status,
        ms: Math.round(ms * 10) / 10,
        request_id: requestId,
        ...(tokenId !== undefined && { token_id: tokenId }),
      },
      'request',
    );
  };
}

const tokenIdOf = (caller: Caller): string | undefined =>
  caller.kind === 'user' ? caller.tokenId : undefined;
