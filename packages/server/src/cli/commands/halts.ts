import { HALT_SCOPES, type HaltScope } from '@slipstream/domain';
import type { ResponseOf } from '@slipstream/wire';
import { type Command, Option } from 'commander';
import type { Columns } from '../output.js';
import { type Environment, remote } from '../remote.js';

type Halt = ResponseOf<'getTradingHalts'>[number];

const haltColumns: Columns<Halt> = {
  HALT: (halt) => halt.halt_id,
  SCOPE: (halt) => halt.scope,
  OF: (halt) => halt.id,
  BY: (halt) => halt.by,
  SINCE: (halt) => halt.created_at,
  WHY: (halt) => halt.reason,
};

interface Given {
  readonly scope: HaltScope;
  readonly reason: string;
}

/** `halt`, `resume` and `halts`: with OPERATOR_TOKEN as the token for everybody's bots, with a user's token for the user's own. */
export function halts(program: Command, environment: Environment): void {
  const halt = program
    .command('halt')
    .description('stop bots from sending orders; open ones are cancelled, positions are kept')
    .argument('[id]', 'the name of the broker, the user_id or the bot_id')
    .addOption(
      new Option('--scope <scope>', 'the bots to halt; all and broker need OPERATOR_TOKEN')
        .choices(HALT_SCOPES)
        .makeOptionMandatory(),
    )
    .requiredOption('--reason <text>', 'why; the owners of the bots read it');
  remote(halt, environment, async ({ client, showOne }, id: string | undefined, given: Given) => {
    const { scope, reason } = given;
    showOne(await client.haltTrading({ scope, reason, id }), haltColumns);
  });

  const resume = program
    .command('resume')
    .description('lift a halt; bots trade again when no halt is left that hits them')
    .argument('<halt_id>');
  remote(resume, environment, async ({ client, showText }, halt_id: string) => {
    const said = await client.resumeTrading({ halt_id });
    showText(said, said);
  });

  const list = program.command('halts').description('list the halts of trading');
  remote(list, environment, async ({ client, showPage }) => {
    showPage(
      'getTradingHalts',
      await client.getTradingHalts(),
      haltColumns,
      'No halts.',
      (last) => ({
        cursor: last.halt_id,
      }),
    );
  });
}
