import type { Application, Operations } from '@slipstream/application';
import { Refusal } from '@slipstream/domain';
import type { Express } from 'express';
import { requestSource } from '../requests/request-source.js';
import { serveOne } from './one-page.js';
import type { Limiter } from '../limits/rate-limits.js';
import { requireReadsLeft, send } from './service-pages.js';

const page = (title: string, content: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<h1>${title}</h1>
${content}
</html>
`;

const ASKED = page(
  'Confirm your e-mail address',
  '<form method="post"><button>Confirm</button></form>\n<p>If it was not you who gave this address, close this page: nothing happens.</p>',
);
const CONFIRMED = page(
  'Confirmed',
  '<p>Your e-mail address is confirmed. You can close this page.</p>',
);
const REFUSED = page(
  'Not confirmed',
  '<p>This link is wrong or too old. Links to confirm an address are good for seven days, those of a new address for one.</p>',
);

/** Whether the code confirmed its address: nobody is signed in here. */
async function isGood(
  { confirmEmail }: Pick<Operations, 'confirmEmail'>,
  code: string,
): Promise<boolean> {
  try {
    await confirmEmail({ kind: 'anonymous' }, { code: code.slice(0, 100) });
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/**
 * The page behind the link of a confirmation mail. Opening it does nothing, its button confirms: mail programs open links
 * before their reader does, and would confirm a stranger's request. The page shows nothing of the request.
 */
export function serveConfirmPage(
  app: Express,
  requests: Pick<Application['requests'], 'requestedBy'>,
  limiter: Pick<Limiter, 'count'>,
): void {
  serveOne(app, 'GET or POST', '/confirm-email', async (request, response) => {
    await requireReadsLeft(limiter, request);
    const show = (status: number, body: string) =>
      send(response, status, 'text/html; charset=utf-8', body);
    const mark = request.url.indexOf('?');
    const code = mark < 0 ? null : new URLSearchParams(request.url.slice(mark)).get('code');
    if (!code) return show(400, REFUSED);
    if (request.method !== 'POST') return show(200, ASKED);
    const source = requestSource(
      request.ip ?? 'unknown',
      'confirmEmail',
      response.locals['requestId'] as string,
    );
    const confirmed = await isGood(requests.requestedBy(source), code);
    show(confirmed ? 200 : 400, confirmed ? CONFIRMED : REFUSED);
  });
}
