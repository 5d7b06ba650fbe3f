import type { IncomingMessage } from 'node:http';
import type { Application, Caller } from '@slipstream/application';
import type { Log } from '@slipstream/ports';
import express, { type Express, type RequestHandler, type Response } from 'express';
import { answerFailure } from './answers/answer-failure.js';
import { FIXED_HEADERS } from './answers/fixed-headers.js';
import type { Passport } from './nodes/passport.js';
import { tellDelivery } from './requests/alert-delivery.js';
import { identifier } from './requests/callers.js';
import { serveConnectPage } from './pages/connect-page.js';
import { type Dashboard, serveDashboard } from './pages/dashboard-pages.js';
import { serveGuide } from './pages/guide-pages.js';
import { cors } from './requests/cors.js';
import { compressed } from './answers/compressed.js';
import { TransportFailure } from './answers/failures.js';
import { lanes } from './limits/lanes.js';
import {
  type OperationService,
  allowed,
  isAlert,
  operationAt,
  perform,
} from './operations/operation-service.js';
import { servePaymentNotices } from './pages/payment-notices.js';
import { type AnswersTo, requireHost } from './requests/host-names.js';
import { type ServicePages, requireReadsLeft, send, servePages } from './pages/service-pages.js';

/** The application, and the settings of its server. */
export interface HttpOptions extends ServicePages {
  readonly application: Pick<Application, 'requests'>;
  readonly log: Log;
  /** Makes the id of each request. */
  readonly newId: () => string;
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
  /** What another node says of a request that it forwarded; by default none does. */
  readonly passportOf?: (request: IncomingMessage) => Passport | undefined;
}

/** An alert that has not begun by then gets a 503: its sender gives up after 3 s, and sends it again (contract 3). */
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

/** Every operation of the table and the service pages, as an express application (contract 1, 5 and 7). */
export function httpHandler(options: HttpOptions): Express {
  const { requests } = options.application;
  const { log, newId, operatorToken, elapsed = () => performance.now() } = options;
  const service: OperationService = {
    requests,
    identify: identifier(requests, operatorToken),
    limiter: options.limiter,
    lanes: lanes(),
  };
  const app = plainApp(options.trustProxy);

  app.use(accessLog(options, newId, elapsed));
  const { answersTo: answers = () => true } = options;
  app.use((request, _, next) => {
    requireHost(request, answers);
    next();
  });
  if (options.corsOrigins.length > 0) app.use(cors(options.corsOrigins));
  app.use(compressed());
  app.use(async (request, response, next) => {
    const operation = operationAt(request.path);
    if (!operation) {
      next();
      return;
    }
    if (request.method === 'OPTIONS') {
      response.setHeader('Allow', allowed(operation));
      response.status(204).end();
      return;
    }
    const onCaller = (caller: Caller) => {
      if (caller.kind === 'user') response.locals['tokenId'] = caller.tokenId;
    };
    const requestId = response.locals['requestId'] as string;
    const startedAt = response.locals['startedAt'] as number;
    const isWanted = () => elapsed() - startedAt < ALERT_DEADLINE;
    const {
      type,
      body,
      headers = {},
    } = await perform(service, operation, request, {
      requestId,
      onCaller,
      isWanted,
    });
    for (const [header, value] of Object.entries(headers)) response.setHeader(header, value);
    // Of a forwarded one the other node tells it.
    if (isAlert(operation) && !options.passportOf?.(request))
      tellDelivery(requests, request, response, requestId);
    send(response, 200, type, body);
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
  return app;
}

/** Gives the request its id and the answer its fixed headers, and logs and counts it at its end. */
function accessLog(
  { log, metrics, passportOf }: HttpOptions,
  newId: () => string,
  elapsed: () => number,
): RequestHandler {
  return (request, response, next) => {
    const passport = passportOf?.(request);
    const startedAt = elapsed() - (passport?.waited ?? 0);
    response.locals['startedAt'] = startedAt;
    const requestId = passport?.requestId ?? newId();
    response.locals['requestId'] = requestId;
    response.setHeader('X-Request-Id', requestId);
    for (const [name, value] of FIXED_HEADERS) response.setHeader(name, value);
    const path = request.path.slice(0, 100);
    response.once('close', () => {
      const ms = elapsed() - startedAt;
      const status = response.writableFinished ? response.statusCode : 499;
      metrics?.observe(operationAt(path)?.name ?? 'unknown', status, ms / 1000);
      const token = tokenIdOf(response);
      const isKnown = operationAt(path) !== undefined || request.route !== undefined;
      log.info(
        {
          method: request.method,
          // Somebody may have put a token into the path.
          path: isKnown ? path : '(unknown)',
          status,
          ms: Math.round(ms * 10) / 10,
          request_id: requestId,
          ...(token !== undefined && { token_id: token }),
        },
        'request',
      );
    });
    next();
  };
}

const tokenIdOf = (response: Response): string | undefined =>
  response.locals['tokenId'] as string | undefined;
