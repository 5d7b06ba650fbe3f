import type { Request } from '@slipstream/client';
import { Refusal } from '@slipstream/domain';
import type { ResponseOf } from '@slipstream/wire';
import { type Command, InvalidArgumentError } from 'commander';
import { orderColumns } from './orders.js';
import { printError } from '../output.js';
import { type Environment, type Remote, remote } from '../remote.js';

interface Target {
  readonly stock_id: string;
  readonly percent: string;
}

/** `AAPL:NASDAQ=0.3` */
function target(text: string, before: readonly Target[] = []): Target[] {
  const [, stock_id, percent] = /^(.+)=(-?[\d.]+)$/.exec(text) ?? [];
  if (stock_id === undefined || percent === undefined) {
    throw new InvalidArgumentError('A target is <stock>=<fraction>, for example AAPL:NASDAQ=0.3.');
  }
  return [...before, { stock_id, percent }];
}

function showPlan({ showAll, json }: Remote, plan: ResponseOf<'previewOrderAllocations'>): void {
  showAll(plan.orders, orderColumns, 'Nothing to trade.');
  if (json) return;
  for (const { stock_id, reason } of plan.skipped) printError(`Skipped ${stock_id}: ${reason}`);
}

/** The two ways to set a strategy's targets: all at once, or one by an alert. */
export function targets(program: Command, environment: Environment): void {
  const allocate = program
    .command('allocate')
    .description('trade toward the complete list of targets; positions left out are closed')
    .argument('<strategy_id>')
    .argument('[targets...]', 'for example AAPL:NASDAQ=0.3 MSFT:NASDAQ=-0.1', target)
    .option('--close-all', 'close every position')
    .option('--slippage <fraction>', 'reserved when sizing, 0 to 0.05')
    .option('--preview', 'show what would be done, do nothing');
  remote(
    allocate,
    environment,
    async (
      connection,
      strategy_id: string,
      allocations: Target[] | undefined,
      { closeAll, slippage, preview }: { closeAll?: true; slippage?: string; preview?: true },
    ) => {
      if (((allocations?.length ?? 0) === 0) !== (closeAll === true)) {
        throw new Refusal(
          'invalid_field',
          'Give targets, or --close-all to close every position, not both.',
        );
      }
      const request = { strategy_id, allocations: allocations ?? [], slippage };
      if (preview)
        return showPlan(connection, await connection.client.previewOrderAllocations(request));
      const orders = await connection.client.newOrderAllocations(request);
      connection.showAll(orders, orderColumns, 'Nothing to trade.');
    },
  );

  const alert = program
    .command('alert')
    .description('send an alert, as a charting platform would')
    .argument('<strategy_id>')
    .argument('<stock>', 'for example AAPL:NASDAQ')
    .argument('<action>', 'buy, long, sell, short, close or flat')
    .option('--leverage <factor>', '0 to 2')
    .option('--pyramiding <steps>', 'entries until the leverage is reached')
    .option('--slippage <fraction>', 'reserved when sizing, 0 to 0.05')
    .option('--market-position <side>', 'long, short or flat')
    .option('--preview', 'show what would be done, do nothing');
  type Given = Pick<Request<'newOrderWebhook'>, 'leverage' | 'pyramiding' | 'slippage'> & {
    readonly marketPosition?: string;
    readonly preview?: true;
  };
  remote(
    alert,
    environment,
    async (connection, strategy_id: string, stock_id: string, action: string, given: Given) => {
      const { leverage, pyramiding, slippage, marketPosition: market_position, preview } = given;
      const request = {
        strategy_id,
        stock_id,
        action,
        leverage,
        pyramiding,
        slippage,
        market_position,
      };
      if (preview)
        return showPlan(connection, await connection.client.previewOrderWebhook(request));
      connection.showOne(await connection.client.newOrderWebhook(request), orderColumns);
    },
  );
}
