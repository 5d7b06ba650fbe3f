import type { Application, Operations } from '@slipstream/application';
import { Refusal } from '@slipstream/domain';
import type { Express } from 'express';
import { originOf } from './origin.js';
import { serveOne } from './one-page.js';
import type { Limiter } from './rate-limits.js';
import { requireCalm, send } from './service-pages.js';

const page = (title: string, text: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<h1>${title}</h1>
<p>${text}</p>
</html>
`;

const CONFIRMED = page('Confirmed', 'Your e-mail address is confirmed. You can close this page.');
const REFUSED = page(
  'Not confirmed',
  'This link is wrong or too old. Links to confirm an address are good for seven days, those of a new address for one.',
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

/** The page that the link of a confirmation mail leads to. Nothing of the request is shown on it. */
export function serveConfirmPage(
  app: Express,
  application: Pick<Application, 'requestedBy'>,
  limiter: Pick<Limiter, 'count'>,
): void {
  serveOne(app, 'GET', '/confirm-email', async (request, response) => {
    await requireCalm(limiter, request);
    const address = request.ip ?? 'unknown';
    const mark = request.url.indexOf('?');
    const code = mark < 0 ? null : new URLSearchParams(request.url.slice(mark)).get('code');
    const origin = originOf(address, 'confirmEmail', response.locals['requestId'] as string);
    const confirmed = code !== null && (await isGood(application.requestedBy(origin), code));
    const body = confirmed ? CONFIRMED : REFUSED;
    send(response, confirmed ? 200 : 400, 'text/html; charset=utf-8', body);
  });
}
