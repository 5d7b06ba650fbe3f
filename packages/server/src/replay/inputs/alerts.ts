import { Refusal, type Timestamp } from '@slipstream/domain';
import { explain, operations, tidiedAlert, unreadPosition } from '@slipstream/wire';
import { z } from 'zod';
import type { Periods } from '../data/periods.js';
import { unzippedText } from '../data/table.js';
import type { Traded } from '../run/instruments.js';
import type { Command } from '../run/score.js';
import type { ReplayedService } from '../run/service.js';
import { orderedAt } from './allocations.js';

/** A line of an alert log. */
export interface LoggedAlert {
  readonly at: Timestamp;
  readonly line: number;
  readonly body: Readonly<Record<string, unknown>>;
}

const entry = z.object({
  at: z.string(),
  body: z.union([z.record(z.string(), z.unknown()), z.string()]),
});

function jsonOf(text: string, place: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Refusal('invalid_json', `${place}: it is not JSON`);
  }
}

/** Reads JSON lines {"at", "body"}; the body is an alert as a charting platform sends it, as an object or as its text. */
export async function readAlerts(file: string, periods: Periods): Promise<LoggedAlert[]> {
  const lines = (await unzippedText(file)).split(/\r?\n/);
  const alerts = lines.flatMap((text, index): LoggedAlert[] => {
    if (text.trim() === '') return [];
    const place = `${file}:${index + 1}`;
    const read = entry.safeParse(jsonOf(text, place));
    if (!read.success)
      throw new Refusal('invalid_field', `${place}: it must be {"at": …, "body": {…}}`);
    const { at, body: given } = read.data;
    const body = typeof given === 'string' ? jsonOf(given, place) : given;
    if (typeof body !== 'object' || body === null)
      throw new Refusal('invalid_field', `${place}: body must be an alert`);
    const fields = tidiedAlert(body as LoggedAlert['body']);
    return [{ at: orderedAt(at, periods, place), line: index + 1, body: fields }];
  });
  return alerts.sort((one, other) => one.at - other.at);
}

export const namesInAlerts = (alerts: readonly LoggedAlert[]): string[] => [
  ...new Set(
    alerts.flatMap(({ body }) => (typeof body['stock_id'] === 'string' ? [body['stock_id']] : [])),
  ),
];

const row = operations.newOrderWebhook;

/** The alerts as they would come to the strategy; their own strategy_id and token are left out. A wrong one is refused at its moment. */
export const alertCommands = (
  file: string,
  alerts: readonly LoggedAlert[],
  traded: Traded,
  {
    application,
    caller,
    strategyId,
  }: Pick<ReplayedService, 'application' | 'caller' | 'strategyId'>,
): Command[] =>
  alerts.map(({ at, line, body }) => {
    const place = `${file}:${line}`;
    const { api_token: _token, ...rest } = body;
    const refused = (reason: string): Command => ({
      at,
      place,
      needs: [],
      arrivesFor: null,
      perform: () => Promise.reject(new Refusal('invalid_field', reason)),
    });
    const request = { ...rest, strategy_id: strategyId };
    const read = row.request.safeParse(request);
    if (!read.success) return refused(explain(read.error.issues, request));
    const unread = unreadPosition(rest);
    if (unread !== undefined) return refused(unread);
    const stock = traded.find(read.data.stock_id);
    if (!stock) return refused(`the data has no bars of ${read.data.stock_id}`);
    const command = row.command({ ...read.data, stock_id: stock.id });
    const perform = () => application.operations.newOrderWebhook(caller, command);
    return { at, place, needs: [stock.id], arrivesFor: stock, perform };
  });
