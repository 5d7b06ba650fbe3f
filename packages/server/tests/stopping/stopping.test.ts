import { rmSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { fixedClock } from '@slipstream/adapter-memory/testing';
import type { Timers } from '@slipstream/ports';
import {
  type ComposedServer,
  IN_SESSION,
  composedServer,
  newFolder,
} from '../helpers/composed-server.js';
import { quietRelay } from '../helpers/quiet-relay.js';
import { itOne } from '../helpers/three-nodes.js';
import { PARTIES, SHORTEST_TIME_OUT } from './parties.js';

type Environment = Readonly<Record<string, string>>;

/** Of twenty seconds each: enough for a bot to know what became of an order, and for a charge to be asked for again. */
const ROUNDS = 10;

const closings: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

/** The host's timers, which ring when the test says so. */
function handTimers() {
  const running = new Set<() => void>();
  const timers: Timers = {
    every: (_, run) => {
      running.add(run);
      return () => void running.delete(run);
    },
  };
  return { timers, ring: () => [...running].forEach((run) => run()) };
}

/** A server of the test's own time, over the file in the folder. */
async function serve(
  folder: string,
  clock: ReturnType<typeof fixedClock>,
  environment: Environment,
) {
  const { timers, ring } = handTimers();
  const server: ComposedServer = await composedServer({
    ...{ storage: 'sqlite', folder, clock, adapters: { timers } },
    environment: { TRADING_HOURS: 'always', ...environment },
  });
  closings.push(() => server.close());
  await quote(server, environment);
  return { server, ring };
}

/** Everything that is due now. */
async function work({ application: { background } }: ComposedServer): Promise<void> {
  await background.tick();
  await background.runBots();
  await background.sendEvents();
  await background.sendMails();
  await background.makeAnchors();
  await background.followMarket();
  await background.runBilling();
}

const quote = (server: ComposedServer, { MARKET }: Environment): Promise<void> =>
  MARKET === 'live'
    ? Promise.resolve()
    : server.quotes({ 'AAPL:NASDAQ': [99.95, 100.05], 'BTCUSD:COINBASE': [59_990, 60_010] });

/** Where the outcome is read there. */
const BESIDE_FILE: readonly string[] = ['a mail server'];

describe('a server that stops while somebody does not answer', () => {
  for (const [name, makeParty] of Object.entries(PARTIES)) {
    const test = BESIDE_FILE.includes(name) ? itOne('mails lie beside the SQLite file') : it;
    test(`does not wait for ${name}, and the next one goes on`, async () => {
      const clock = fixedClock(IN_SESSION);
      const folder = newFolder();
      closings.push(() => rmSync(folder, { recursive: true, force: true }));
      const party = await makeParty(clock);
      closings.push(() => party.close?.());
      const relay = await quietRelay(party.url);
      closings.push(() => relay.close());

      let isSilent = false;
      const awaitQuestion = () => void relay.silence(party.asks).then(() => (isSilent = true));
      if (party.isAskedAtStart) awaitQuestion();
      const first = await serve(folder, clock, party.environment(relay.url));
      await party.begin(first.server, relay.url);
      if (!party.isAskedAtStart) awaitQuestion();
      while (!isSilent) {
        first.ring();
        await turn();
      }
      const begun = performance.now();
      let isStopping = true;
      const stopped = first.server.shutDown().finally(() => (isStopping = false));
      while (isStopping) {
        first.ring();
        await turn();
      }
      await stopped;
      expect(performance.now() - begun).toBeLessThan(SHORTEST_TIME_OUT);

      relay.speak();
      const environment = party.next ?? party.environment(relay.url);
      const next = await serve(folder, clock, environment);
      for (let rounds = 0; rounds < ROUNDS; rounds += 1) {
        await work(next.server);
        clock.advance(20_000);
        await quote(next.server, environment);
      }
      expect(await party.outcome(next.server, folder)).toEqual(party.expected);
    });
  }
});
