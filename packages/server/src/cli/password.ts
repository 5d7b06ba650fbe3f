import { text } from 'node:stream/consumers';
import { createInterface } from 'node:readline';
import { read } from 'read';
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
