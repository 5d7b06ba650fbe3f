import type { Application } from '@slipstream/application';
import { Refusal } from '@slipstream/domain';
import { NoticeRefused } from '@slipstream/ports';
import type { Express } from 'express';
import { send } from '../answers/send.js';
import { readBody } from '../requests/body.js';
import { serveOne } from './one-page.js';
import { clientAddress } from '../requests/client-address.js';
import { requestSource } from '../requests/request-source.js';

const BODY_LIMIT = 256 * 1024;

/** The path of the payment gateway's webhook; the signature is checked over the raw body. */
export function servePaymentNotices(
  app: Express,
  requests: Pick<Application['requests'], 'handlePaymentWebhook' | 'denied'>,
  path: string | undefined,
): void {
  if (path === undefined) return;
  serveOne(app, 'POST', path, async (request, response) => {
    const body = await readBody(request, BODY_LIMIT);
    try {
      await requests.handlePaymentWebhook(body, request.headers);
    } catch (error) {
      if (!(error instanceof NoticeRefused)) throw error;
      const code = 'payment_gateway';
      const requestId = response.locals['requestId'] as string;
      const source = requestSource(clientAddress(request), 'takePaymentNotice', requestId);
      requests.denied({ kind: 'anonymous' }, source, { code, objects: [] });
      throw new Refusal(code, error.message);
    }
    send(response, 200, 'text/plain', 'ok\n');
  });
}
