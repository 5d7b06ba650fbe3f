import { type Command, Option } from 'commander';
import type { ResponseOf } from '@slipstream/wire';
import { wholeUsd } from '../price.js';
import { type Environment, type Remote, remote } from '../remote.js';

const MOST_IDS = 100;
type Strategy = ResponseOf<'getStrategies'>[number];

interface NewStrategy {
  readonly type: 'stock' | 'cryptocurrency';
  readonly description?: string;
  readonly category?: string[];
  readonly private?: true;
  readonly price?: number;
  readonly inputValue?: string;
}

interface Changes {
  readonly name?: string;
  readonly description?: string;
  readonly public?: true;
  readonly private?: true;
  readonly price?: number;
  readonly invite?: string[];
}

/** The caller's relations to the strategies that the caller owns or follows, by their ids. */
async function relationsOf({ client }: Remote): Promise<Map<string, string>> {
  const relations = new Map<string, string>();
  for (let cursor: string | undefined, isLast = false; !isLast;) {
    const page = await client.getStrategySubscriptions({ limit: MOST_IDS, cursor });
    for (const { strategy_id, relation, status } of page)
      if (status !== 'cancelled') relations.set(strategy_id, relation);
    cursor = page.at(-1)?.subscription_id;
    isLast = page.length < MOST_IDS;
  }
  return relations;
}

/** Every strategy that the caller owns or follows, with its value. */
async function list(connection: Remote): Promise<void> {
  const { client, name, showAll } = connection;
  const relations = await relationsOf(connection);
  const ids = [...relations.keys()];
  const strategies: Strategy[] = [];
  const values = new Map<string, string | null>();
  for (let first = 0; first < ids.length; first += MOST_IDS) {
    const strategy_id = ids.slice(first, first + MOST_IDS);
    strategies.push(...(await client.getStrategies({ strategy_id })));
    for (const value of await client.getStrategyValues({ strategy_id })) {
      values.set(value.strategy_id, value.strategy_value);
    }
  }
  const rows = strategies.map((strategy) => ({
    ...strategy,
    relation: relations.get(strategy.strategy_id) ?? null,
    strategy_value: values.get(strategy.strategy_id) ?? null,
  }));
  showAll(
    rows,
    {
      STRATEGY: (row) => row.strategy_id,
      NAME: (row) => row.name,
      TYPE: (row) => row.type,
      'YOU ARE': (row) => row.relation,
      VALUE: (row) => row.strategy_value,
      SUBSCRIBERS: (row) => row.subscriber_count,
      'USD/MONTH': (row) => row.price,
    },
    `No strategies yet. Make one: ${name} strategies new "<name>" --type stock`,
  );
}

export function strategies(program: Command, environment: Environment): void {
  const group = program.command('strategies').description('the strategies that you own and follow');
  remote(
    group.command('list', { isDefault: true }).description('list your strategies and their values'),
    environment,
    list,
  );

  const collect = (label: string, labels: string[] = []): string[] => [...labels, label];
  const create = group
    .command('new')
    .description('create a strategy')
    .argument('<name>')
    .requiredOption('--type <type>', 'stock or cryptocurrency')
    .option('--description <text>')
    .option('--category <label>', 'up to ten times', collect)
    .option('--private', 'visible only to invited users and subscribers')
    .option('--price <usd>', 'whole USD a month', wholeUsd)
    .option('--input-value <amount>', 'what it is worth in your own currency');
  remote(create, environment, async ({ client, showText }, name: string, options: NewStrategy) => {
    const { category: categories, inputValue: input_value, type, description, price } = options;
    const strategy = await client.newStrategy({
      type,
      name,
      description,
      categories,
      private: options.private,
      price,
      input_value,
    });
    showText(strategy, `Made "${strategy.name}": ${strategy.strategy_id}`);
  });

  const update = group
    .command('update')
    .description('change the given fields, for example visibility, name or price')
    .argument('<strategy_id>')
    .option('--name <name>')
    .option('--description <text>')
    .addOption(
      new Option('--public', 'visible to everybody, who may follow it').conflicts('private'),
    )
    .option('--private', 'visible only to invited users and subscribers')
    .option('--price <usd>', 'whole USD a month', wholeUsd)
    .option('--invite <user_id>', 'may be repeated; replaces the list of invited users', collect);
  remote(update, environment, async ({ client, showText }, strategy_id: string, given: Changes) => {
    const { name, description, price, invite: invited_user_ids } = given;
    const isPrivate = given.public ? false : given.private;
    const changes = { name, description, price, invited_user_ids, private: isPrivate };
    const strategy = await client.updateStrategy({ strategy_id, ...changes });
    showText(strategy, `Changed "${strategy.name}": ${strategy.strategy_id}`);
  });

  const end = group
    .command('delete')
    .description(
      'delete a strategy: open orders are cancelled, unused days of paid months are refunded',
    )
    .argument('<strategy_id>');
  remote(end, environment, async ({ client, showText }, strategy_id: string) => {
    const said = await client.deleteStrategy({ strategy_id });
    showText(said, said);
  });
}
