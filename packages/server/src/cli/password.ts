import { text } from 'node:stream/consumers';
import { createInterface } from 'node:readline';
import { read } from 'read';
import { Option } from 'commander';
import { RequestFailed } from '@slipstream/client';
import { Refusal } from '@slipstream/domain';
import type { Environment } from './remote.js';

/** A password is never an argument, because other programs and the shell's history can read arguments. */
export async function askPassword(environment: Environment): Promise<string> {
  const given = environment['SLIPSTREAM_PASSWORD'];
  if (given !== undefined) return given;
  if (process.stdin.isTTY)
    return read({ prompt: 'Password: ', silent: true, output: process.stderr });
  for await (const line of createInterface({ input: process.stdin })) return line;
  return '';
}

/** Of every command that asks for the password: a code is used up at once, so it may be an argument. */
export const totpOption = (): Option =>
  new Option('--totp <code>', 'a code of your authenticator app, or a recovery code, if it is on');

/** Acts with the code that was given. Without one it asks for one in a terminal, where the account has a second factor. */
export async function withSecondFactor<Answer>(
  given: string | undefined,
  act: (totp: string | undefined) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await act(given);
  } catch (error) {
    if (!(error instanceof RequestFailed) || error.code !== 'totp_required') throw error;
    if (!process.stdin.isTTY)
      throw new Refusal(
        'totp_required',
        'This account has a second factor: give a code of its app, or a recovery code, with --totp.',
      );
    const asked = { prompt: 'Code of your authenticator app: ', output: process.stderr };
    return act(String(await read(asked)));
  }
}

export const PASSWORD_HELP =
  '\nThe command asks for the password, or reads it from SLIPSTREAM_PASSWORD or from standard input.';

/** The fields that a broker asks for, as JSON: a secret among them is no argument either. */
export async function askCredentials(environment: Environment): Promise<string> {
  const given = environment['SLIPSTREAM_CREDENTIALS'];
  if (given !== undefined) return given;
  if (process.stdin.isTTY)
    return read({ prompt: 'Credentials, as JSON: ', silent: true, output: process.stderr });
  return text(process.stdin);
}
