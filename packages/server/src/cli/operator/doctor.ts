import type { Command } from 'commander';
import { print, printError } from '../output.js';
import type { Environment } from '../remote.js';

const MARKS = { good: 'ok      ', doubtful: 'doubtful', bad: 'BAD     ' } as const;
const HELP = `
Run it where the server runs, with the same settings. It changes nothing: the alert is a preview, and no mail is sent.
The exit code is 1 if something does not work.`;

/** The command that says what is wrong with an installation. */
export function examining(program: Command, environment: Environment): void {
  program
    .command('doctor')
    .description(
      'check the settings, disk, database, server, brokers, mail, payments and address, and say what to mend',
    )
    .argument('[strategy_id]', 'also try an alert to this strategy')
    .argument('[stock]', 'the instrument of the alert; by default one that the strategy trades')
    .option('--token <token>', "an api token of the strategy's owner (SLIPSTREAM_TOKEN)")
    .option(
      '--thorough',
      'also read the whole database: add up every book from its trades, and verify track records and audit log',
    )
    .option('--json', 'print the findings as JSON, for programs')
    .addHelpText('after', HELP)
    .action(
      async (
        strategyId: string | undefined,
        stockId: string | undefined,
        {
          token,
          thorough = false,
          json = false,
        }: { token?: string; thorough?: boolean; json?: boolean },
      ) => {
        const [{ examine }, { advice }] = await Promise.all([
          import('../../doctor/doctor.js'),
          import('../../doctor/advice.js'),
        ]);
        const findings = await examine({
          environment,
          now: Date.now,
          thorough,
          alert:
            strategyId === undefined
              ? undefined
              : {
                  strategyId,
                  stockId,
                  token: token ?? (environment['SLIPSTREAM_TOKEN'] || undefined),
                },
          onFinding: ({ about, state, says }) => {
            if (!json) print(`${MARKS[state]}  ${about}: ${says}`);
          },
        });
        if (json) print(JSON.stringify(findings, null, 2));
        else print(`\n${advice(findings)}`);
        if (findings.some(({ state }) => state === 'bad')) {
          printError('Something does not work.');
          process.exitCode = 1;
        }
      },
    );
}
