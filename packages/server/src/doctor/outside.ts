import { lookup } from 'node:dns/promises';
import { connect } from 'node:tls';
import { smtpMailer } from '@slipstream/adapter-mail';
import { DAY } from '@slipstream/domain';
import type { ServerSettings } from '../settings/settings.js';
import { type Finding, TO_SET_THE_CLOCK, findingsAbout, inShort } from './finding.js';

/** How long an answer may take, in milliseconds. */
const PATIENCE = 8_000;
/** A certificate that ends within these days is probably not renewed by itself. */
const SOON = 14;
/** Clocks further apart than this many milliseconds make brokers and second factors refuse. */
const APART = 5_000;

/** A request without a redirect, that gives up. */
export const asked = (url: string): Promise<Response> =>
  fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(PATIENCE) });

/** The trading interfaces of the brokers, and the local servers that imitate them. */
const hostsOf = (settings: ServerSettings): Readonly<Record<string, string>> => ({
  alpaca_paper: settings.ALPACA_PAPER_URL ?? 'https://paper-api.alpaca.markets',
  alpaca: settings.ALPACA_LIVE_URL ?? 'https://api.alpaca.markets',
  kraken: settings.CCXT_URL_kraken ?? 'https://api.kraken.com',
  coinbase: settings.CCXT_URL_coinbase ?? 'https://api.coinbase.com',
});

/** Whether each broker outside can be reached, and what its clock says against ours. */
export async function brokerFindings(
  settings: ServerSettings,
  now: () => number,
): Promise<Finding[]> {
  const hosts = hostsOf(settings);
  const apart: number[] = [];
  const found: Finding[] = [];
  for (const name of settings.BROKERS) {
    const host = hosts[name];
    if (host === undefined) continue;
    const { good, bad } = findingsAbout(`broker ${name}`);
    try {
      const began = now();
      const answer = await asked(host);
      await answer.body?.cancel();
      const told = Date.parse(answer.headers.get('date') ?? '');
      // Its clock is told in whole seconds.
      if (!Number.isNaN(told)) apart.push(told + 500 - (began + now()) / 2);
      found.push(good(`${new URL(host).host} answers`));
    } catch (error) {
      found.push(
        bad(
          `${new URL(host).host} cannot be reached (${inShort(error)})`,
          'Let this machine call it on port 443: check its network, its firewall and its name service.',
        ),
      );
    }
  }
  return [...found, clockFinding(apart)];
}

function clockFinding(apart: readonly number[]): Finding {
  const { good, doubtful, bad } = findingsAbout('clock');
  const mend = TO_SET_THE_CLOCK;
  const by = [...apart].sort((one, other) => one - other)[Math.floor(apart.length / 2)];
  if (by === undefined)
    return doubtful(
      'there is no broker outside to compare the clock with',
      `Make sure that it is right. ${mend}`,
    );
  const seconds = (Math.abs(by) / 1000).toFixed(1);
  return Math.abs(by) > APART
    ? bad(`the clock is ${seconds} s ${by > 0 ? 'behind' : 'ahead of'} those of the brokers`, mend)
    : good(`the clock is within ${seconds} s of those of the brokers`);
}

const MAIL_AWAY =
  'Check the host and the port in SMTP_URL, and let this machine call them: many providers block port 25.';
/** What to do about a mail server, by the error of the mailer. */
const MAIL_MENDS: Readonly<Record<string, string>> = {
  EAUTH:
    'Correct the user and the password in SMTP_URL: the mail server answers, and refuses them.',
  EDNS: 'Correct the host in SMTP_URL: its name has no address.',
  ETLS: 'Use smtps:// (port 465), or a mail server with STARTTLS (port 587): nothing goes in clear.',
  ESOCKET: MAIL_AWAY,
  ECONNECTION: MAIL_AWAY,
  ETIMEDOUT: MAIL_AWAY,
};

/** Whether the mail server takes mails from this one. Nothing is sent. */
export async function mailFindings(settings: ServerSettings): Promise<Finding[]> {
  const { good, doubtful, bad } = findingsAbout('mail');
  const { SMTP_URL: url } = settings;
  if (url === undefined)
    return [
      doubtful(
        'there is no SMTP_URL: mails are written into a folder, and nobody gets them',
        'Set SMTP_URL=smtps://user:password@host, and MAIL_FROM.',
      ),
    ];
  const unasked =
    settings.CONFIRM_EMAIL === 'off'
      ? [
          doubtful(
            'accounts whose address is not confirmed get no mails, and CONFIRM_EMAIL=off asks nobody to confirm one',
            'Leave CONFIRM_EMAIL out, or tell owners to open the link that their sign-up mailed; getUserList shows who has not.',
          ),
        ]
      : [];
  const mailer = smtpMailer(url, settings.MAIL_FROM ?? 'doctor@localhost');
  try {
    await mailer.check();
    return [...unasked, good(`${new URL(url).hostname} takes mails from this machine`)];
  } catch (error) {
    const says = `${new URL(url).hostname} does not take mails (${inShort(error)})`;
    const { code = '' } = error as NodeJS.ErrnoException;
    const mend = MAIL_MENDS[code] ?? 'Check the host, port, user and password in SMTP_URL.';
    return [...unasked, bad(says, mend)];
  } finally {
    mailer.close();
  }
}

const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');

/** TradingView's help says that it calls no IPv6 addresses: its alerts would never come, and nothing would tell. */
async function isOnIPv6Alone({ hostname }: URL): Promise<boolean> {
  const addresses = await lookup(bare(hostname), { all: true });
  return addresses.every(({ family }) => family === 6);
}

/** The day at which the certificate of a server ends, in milliseconds since 1970. */
const endOfCertificate = ({ hostname, port }: URL): Promise<number> =>
  new Promise((resolve, reject) => {
    const host = bare(hostname);
    const socket = connect({ host, port: Number(port || 443), servername: host }, () => {
      resolve(Date.parse(socket.getPeerCertificate().valid_to));
      socket.destroy();
    });
    socket.setTimeout(PATIENCE, () => socket.destroy(new Error('no answer')));
    socket.on('error', reject);
  });

/** The address that users and charting platforms call: its port, its certificate, and who answers there. */
export async function addressFindings(
  settings: ServerSettings,
  now: () => number,
): Promise<Finding[]> {
  const { good, doubtful, bad } = findingsAbout('address');
  if (settings.PUBLIC_URL === undefined)
    return [
      doubtful(
        'there is no PUBLIC_URL: only this machine reaches the server, no charting platform',
        'Put a proxy with a certificate in front, and set PUBLIC_URL=https://your.domain and TRUST_PROXY=1.',
      ),
    ];
  const url = new URL(settings.PUBLIC_URL);
  const found: Finding[] = [];
  if (!['', '80', '443'].includes(url.port))
    found.push(
      doubtful(
        `PUBLIC_URL has the port ${url.port}`,
        'Use port 443: charting platforms call ports 80 and 443 only.',
      ),
    );
  if (url.protocol === 'http:')
    found.push(
      doubtful(
        'PUBLIC_URL is not encrypted: everybody on the way reads tokens',
        'Use https: a proxy such as Caddy gets a certificate by itself.',
      ),
    );
  if (url.protocol === 'https:' && settings.TRUST_PROXY === 0)
    found.push(
      doubtful(
        'TRUST_PROXY is 0, and a proxy must be in front: everybody seems to call from its address, and shares its limits',
        'Set TRUST_PROXY to the number of proxies, mostly 1.',
      ),
    );
  try {
    const answer = await asked(`${settings.PUBLIC_URL}/healthz`);
    if (answer.status !== 200 || (await answer.text()).trim() !== 'ok')
      return [
        ...found,
        bad(
          `something else answers at ${settings.PUBLIC_URL} (status ${answer.status})`,
          'Let the proxy pass every path to this server, and start the server.',
        ),
      ];
    found.push(good(`the server answers at ${settings.PUBLIC_URL}`));
    if (await isOnIPv6Alone(url))
      found.push(
        doubtful(
          `${url.hostname} has an IPv6 address only`,
          'Give it an IPv4 address (an A record) too: TradingView calls no others.',
        ),
      );
    if (url.protocol === 'https:') {
      const days = Math.floor(((await endOfCertificate(url)) - now()) / DAY);
      found.push(
        days < SOON
          ? doubtful(
              `the certificate ends in ${days} days`,
              'Look why the proxy does not renew it.',
            )
          : good(`the certificate is valid for ${days} days`),
      );
    }
    return found;
  } catch (error) {
    return [
      ...found,
      bad(
        `nobody answers at ${settings.PUBLIC_URL} (${inShort(error)})`,
        'Check that the name leads to this machine, that ports 80 and 443 are open, and that the proxy and the server run.',
      ),
    ];
  }
}
