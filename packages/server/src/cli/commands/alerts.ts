import type { Request } from '@slipstream/client';
import type { ResponseOf } from '@slipstream/wire';
import type { Command } from 'commander';
import type { Columns } from '../output.js';
import { type Environment, remote } from '../remote.js';

const columns: Columns<ResponseOf<'getAlerts'>[number]> = {
  AT: (alert) => alert.received_at,
  STOCK: (alert) => alert.stock_id,
  VERDICT: (alert) => alert.verdict,
  WHY: (alert) => alert.reason,
  ORDER: (alert) => alert.order_id,
};

/** The commands for the inbox of alerts and for the alert template. */
export function alerts(program: Command, environment: Environment): void {
  const group = program.command('alerts').description('the alerts of charting platforms');
  const list = group
    .command('list', { isDefault: true })
    .description('the alerts of a strategy with their verdicts')
    .argument('<strategy_id>');
  remote(list, environment, async ({ client, showPage }, strategy_id: string) => {
    const found = await client.getAlerts({ strategy_id });
    showPage('getAlerts', found, columns, 'No alerts.', ({ inbox_id }) => ({
      strategy_id,
      cursor: inbox_id,
    }));
  });
  const template = group
    .command('template')
    .description("the JSON to paste into a charting platform's alert")
    .argument('<strategy_id>')
    .argument('<stock>', 'for example AAPL:NASDAQ')
    .option('--leverage <factor>', '0 to 2; 1 if it is left out')
    .option('--pyramiding <steps>', 'entries until the leverage is reached')
    .option('--new-token', 'with a new token in it, which can only send alerts to this strategy');
  type Given = Pick<Request<'newAlertTemplate'>, 'leverage' | 'pyramiding'> & {
    readonly newToken?: true;
  };
  remote(
    template,
    environment,
    async (
      { client, showText },
      strategy_id: string,
      stock_id: string,
      { leverage, pyramiding, newToken }: Given,
    ) => {
      const asked = { strategy_id, stock_id, leverage, pyramiding };
      const text = newToken
        ? await client.newAlertTemplate(asked)
        : await client.getAlertTemplate(asked);
      showText(text, text);
    },
  );
}
