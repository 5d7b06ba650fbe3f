import { RequestFailed } from '@slipstream/client';
import { Refusal } from '@slipstream/domain';
import type { ResponseOf } from '@slipstream/wire';
import type { Command } from 'commander';
import type { Columns } from '../output.js';
import { PASSWORD_HELP, askPassword, totpOption, withSecondFactor } from '../password.js';
import { type Environment, remote } from '../remote.js';

type Token = ResponseOf<'getTokens'>[number];

const tokenColumns: Columns<Token> = {
  TOKEN: (token) => token.token_id,
  NAME: (token) => token.name,
  TYPE: (token) => token.type,
  SCOPE: (token) => token.scope.join(' '),
  STRATEGIES: (token) => token.strategy_ids?.join(' ') ?? null,
  EXPIRES: (token) => token.expires_at,
};

const list = (text: string): string[] => text.split(',').map((part) => part.trim());

/** The link of a confirmation mail, or the code at its end. */
const codeIn = (text: string): string => /(?:code=)?([\w-]+)$/.exec(text)?.[1] ?? text;

/** The service does not say which of them is wrong. */
const wrongOf = (totp: string | undefined): string =>
  totp === undefined
    ? 'The address or the password is wrong.'
    : 'The address, the password or the code is wrong, or the code was used.';

/** The commands of an account, from sign-up to tokens. */
export function account(program: Command, environment: Environment): void {
  const signUp = program
    .command('sign-up')
    .description('create an account')
    .argument('<email>')
    .option('--ref <code>', 'referral code of the user who referred you')
    .addHelpText('after', PASSWORD_HELP);
  remote(
    signUp,
    environment,
    async ({ client, showText, name }, email: string, { ref: ref_id }: { ref?: string }) => {
      const password = await askPassword(environment);
      const user = await client.newUser({ email, password, ...(ref_id && { ref_id }) });
      showText(
        user,
        `Made the account ${user.email}. Sign in: ${name} sign-in ${user.email}\nIf the service asks for a confirmed address, use the link in your mail: ${name} confirm <link>`,
      );
    },
  );

  const confirm = program
    .command('confirm')
    .description('confirm your e-mail address')
    .argument('<link>', 'the link in the mail, or the code at its end');
  remote(confirm, environment, async ({ client, showText }, link: string) => {
    await client.confirmEmail({ code: codeIn(link) });
    showText({ confirmed: true }, 'Your e-mail address is confirmed.');
  });

  const signIn = program
    .command('sign-in')
    .description('get an api token with your address and password; it is shown only once')
    .argument('<email>')
    .option('--scope <names>', 'allowed operations: their names separated by commas, or *', '*')
    .option('--name <name>', 'a name for the token', 'command line')
    .addOption(totpOption())
    .addHelpText('after', PASSWORD_HELP);
  remote(
    signIn,
    environment,
    async (
      { client, showText },
      email: string,
      given: { scope: string; name: string; totp?: string },
    ) => {
      const password = await askPassword(environment);
      const session = await withSecondFactor(given.totp, (totp) =>
        client.newSession({ email, password, totp }).catch((error: unknown) => {
          // The advice to sign in would lead back here.
          if (error instanceof RequestFailed && error.status === 401)
            throw new Refusal('unauthenticated', wrongOf(totp));
          throw error;
        }),
      );
      const scope = list(given.scope) as Parameters<typeof client.newToken>[0]['scope'];
      const made = await client.newToken(
        { name: given.name, scope },
        { token: session.token, idempotencyKey: session.token_id },
      );
      showText(made, `export SLIPSTREAM_TOKEN=${made.token}`);
    },
  );

  const group = program.command('tokens').description('your api tokens and sessions');
  const all = group
    .command('list', { isDefault: true })
    .description('list them, without their texts');
  remote(all, environment, async ({ client, showPage }) => {
    showPage('getTokens', await client.getTokens(), tokenColumns, 'No tokens.', (last) => ({
      cursor: last.token_id,
    }));
  });
  const revoke = group.command('delete').description('revoke a token').argument('<token_id>');
  remote(revoke, environment, async ({ client, showText }, token_id: string) => {
    const said = await client.deleteToken({ token_id });
    showText(said, said);
  });
}
