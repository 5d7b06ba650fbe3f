import type { ResponseOf } from '@slipstream/wire';
import type { Command } from 'commander';
import type { Columns } from '../output.js';
import { wholeUsd } from '../price.js';
import { type Environment, remote } from '../remote.js';

type Subscription = ResponseOf<'getStrategySubscriptions'>[number];

const subscriptionColumns: Columns<Subscription> = {
  STRATEGY: (subscription) => subscription.strategy_id,
  'YOU ARE': (subscription) => subscription.relation,
  STATUS: (subscription) => subscription.status,
  'USD/MONTH': (subscription) => subscription.price,
  'YOUR VALUE': (subscription) => subscription.input_value,
  RENEWS: (subscription) => subscription.renews_at,
  ENDS: (subscription) => subscription.ends_at,
};

/** The commands to subscribe to strategies. */
export function following(program: Command, environment: Environment): void {
  const follow = program
    .command('follow')
    .description('subscribe to a strategy')
    .argument('<strategy_id>')
    .option(
      '--price <usd>',
      'the monthly price that you agree to; required unless it is free',
      wholeUsd,
    )
    .option('--input-value <amount>', 'what it is worth in your own currency');
  remote(
    follow,
    environment,
    async (
      { client, showOne },
      strategy_id: string,
      given: { price?: number; inputValue?: string },
    ) => {
      const { price, inputValue: input_value } = given;
      showOne(
        await client.newStrategySubscription({
          strategy_id,
          price,
          input_value,
        }),
        subscriptionColumns,
      );
    },
  );

  const unfollow = program
    .command('unfollow')
    .description('end a subscription; a paid month runs to its end')
    .argument('<strategy_id>');
  remote(unfollow, environment, async ({ client, showText }, strategy_id: string) => {
    const said = await client.deleteStrategySubscription({ strategy_id });
    showText(said, said);
  });

  const list = program
    .command('subscriptions')
    .description('your subscriptions, and the strategies that you own');
  remote(list, environment, async ({ client, showPage }) => {
    showPage(
      'getStrategySubscriptions',
      await client.getStrategySubscriptions(),
      subscriptionColumns,
      'No subscriptions.',
      ({ subscription_id }) => ({ cursor: subscription_id }),
    );
  });
}
