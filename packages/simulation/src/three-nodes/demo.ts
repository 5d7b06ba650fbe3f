import { runProgram } from '@slipstream/server/testing';
import type { Guard } from './guard.js';

/** The link to a demo's strategy, and the whole line, so that no token is cut off. Log lines may come before it. */
const LINK = /\/strategies\/(\S+)#token=(\S+)\n/;

/** What a newcomer needs of a demo. */
export interface Demo {
  readonly strategyId: string;
  /** Of its owner, who exists only in the demo. */
  readonly token: string;
}

/** Fills an empty database with the demo. Resolves when its server has ended; rejects when it cannot start. */
export async function makeDemo(
  folder: string,
  environment: Readonly<Record<string, string>>,
  guard: Guard,
): Promise<Demo> {
  const demo = runProgram(folder, ['demo'], { ...environment, PORT: '0' });
  guard.watch(demo.process);
  let said = '';
  demo.process.stdout?.on('data', (data: Buffer) => {
    said += data.toString();
    if (LINK.test(said)) demo.process.kill('SIGTERM');
  });
  const { out, complaints } = await demo.ended;
  const [, strategyId, token] = LINK.exec(out) ?? [];
  if (strategyId === undefined || token === undefined)
    throw new Error(`the demo did not start: ${complaints}${out}`);
  return { strategyId, token };
}
