import type { Express } from 'express';
import { send } from '../answers/send.js';
import { type Limiter, requireReadsLeft } from '../limits/rate-limits.js';
import { contentHash } from './content-hash.js';
import { serveOne } from './one-page.js';

/**
 * Takes code and state out of the address before anything else, so that neither stays in the history of the browser, and shows
 * them as text. The pages of this service in the same browser hear them too: the one that asked with that state goes on.
 */
export const CONNECT_SCRIPT = `
const given = new URLSearchParams(location.search);
history.replaceState(null, '', location.pathname);
const [code, state] = [given.get('code'), given.get('state')];
const show = (name, text) => { document.getElementById(name).textContent = text; };
const isGiven = code !== null && state !== null;
document.getElementById(isGiven ? 'given' : 'denied').hidden = false;
if (isGiven) {
  show('code', code);
  show('state', state);
  new BroadcastChannel('slipstream-connect').postMessage({ code, state });
}
`;

const CONNECT_STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 42rem; margin: 0 auto; padding: 2rem 1rem }
code { overflow-wrap: anywhere; font: 14px/1.45 ui-monospace, monospace; user-select: all }
[hidden] { display: none }
`;

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Connect a brokerage account</title>
<style>${CONNECT_STYLE}</style>
<h1>Connect a brokerage account</h1>
<div id="given" hidden>
<p>Your broker sent this code. It connects nothing yet: finish where you began, within ten minutes. The dashboard goes on by itself: go back to its tab.</p>
<p>Code: <code id="code"></code></p>
<p>State: <code id="state"></code></p>
<p>With the command line: <code>slipstream bots finish CODE STATE</code>. With the interface: <code>POST /finishConnection</code> with <code>code</code> and <code>state</code>.</p>
<p><strong>Did you not begin this yourself, a moment ago?</strong> Then close this page, give the code to nobody, and take the access back at your broker.</p>
</div>
<div id="denied" hidden>
<p>Your broker gave no access. Nothing was connected; begin again if you want to.</p>
</div>
<noscript><p>This page needs JavaScript to take the code out of its address.</p></noscript>
<script>${CONNECT_SCRIPT}</script>
</html>
`;

const CONTENT_SECURITY_POLICY = `default-src 'none'; script-src ${contentHash(CONNECT_SCRIPT)}; style-src ${contentHash(CONNECT_STYLE)}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/**
 * The page that brokers send browsers back to (contract 10, "Connect by OAuth"). It is the same for every request: the server
 * reads neither code nor state here, and its log has paths without their queries.
 */
export function serveConnectPage(app: Express, limiter: Pick<Limiter, 'count'>): void {
  serveOne(app, 'GET', '/connect', async (request, response) => {
    await requireReadsLeft(limiter, request);
    response.setHeader('Content-Security-Policy', CONTENT_SECURITY_POLICY);
    send(response, 200, 'text/html; charset=utf-8', PAGE);
  });
}
