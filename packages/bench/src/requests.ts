import type { AlertBody } from './baselines/alert-database.js';

/** The token of the operator, who sends the quotes. */
export const OPERATOR_TOKEN = 'operator-token-of-the-bench';

const STOCK = 'AAPL:NASDAQ';

const posted = (path: string, body: string): string =>
  [
    `POST ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');

/** A read as bytes of HTTP. */
export const got = (path: string, token: string): string =>
  [`GET ${path} HTTP/1.1`, 'Host: 127.0.0.1', `Authorization: Bearer ${token}`, '', ''].join(
    '\r\n',
  );

/** The alerts of each connection: it opens a position in each of its strategies, closes them, and repeats. */
export function alertsOf(
  connections: number,
  strategyIds: readonly string[],
  token: string,
): string[][] {
  const each = Math.floor(strategyIds.length / connections);
  return Array.from({ length: connections }, (_, connection) => {
    const own = strategyIds.slice(connection * each, (connection + 1) * each);
    return ['buy', 'close'].flatMap((action) =>
      own.map((strategy_id) =>
        posted(
          '/newOrderWebhook',
          JSON.stringify({
            strategy_id,
            stock_id: STOCK,
            action,
            leverage: 0.5,
            api_token: token,
          } satisfies AlertBody),
        ),
      ),
    );
  });
}
