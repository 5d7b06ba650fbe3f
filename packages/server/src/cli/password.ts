import { createInterface } from 'node:readline';
import { read } from 'read';
import type { Environment } from './remote.js';

/** A password never stands in the arguments: other programs and the shell's history see those. */
export async function askPassword(environment: Environment, prompt = 'Password'): Promise<string> {
  const given = environment['SLIPSTREAM_PASSWORD'];
  if (given !== undefined) return given;
  if (process.stdin.isTTY)
    return read({ prompt: `${prompt}: `, silent: true, output: process.stderr });
  for await (const line of createInterface({ input: process.stdin })) return line;
  return '';
}

export const PASSWORD_HELP =
  '\nThe password is asked for, or read from SLIPSTREAM_PASSWORD or from standard input.';
