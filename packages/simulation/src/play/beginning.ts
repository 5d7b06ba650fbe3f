import { type Quote, decimal } from '@slipstream/domain';
import { boot } from '../core/boot.js';
import type { Bug } from '../bugs/bug.js';
import { type Run, newRun } from '../run/run.js';
import { USERS } from '../story/story.js';
import { STOCKS } from '../world/stocks.js';
import { BEGINNING, PASSWORD, type World, type WorldOptions } from '../world/world.js';

const half = decimal('0.0001');

/** The prices of the beginning, as the broker and the core see them. */
export function openingQuotes(): Quote[] {
  return STOCKS.map(([{ id }, text]) => {
    const last = decimal(text);
    const spread = last.times(half).round(8);
    return { stockId: id, bid: last.minus(spread), ask: last.plus(spread), last, at: BEGINNING };
  });
}

/** Lets one thing of the core happen to its end. */
export async function drive(world: World, effect: Promise<unknown>): Promise<void> {
  let failure: unknown;
  let done = false;
  effect.then(
    () => (done = true),
    (error: unknown) => {
      failure = error;
      done = true;
    },
  );
  await world.schedule.run([], () => false);
  if (failure !== undefined) throw failure as Error;
  if (!done) throw new Error('the core waits for something that never happens');
}

let image: Promise<Buffer> | undefined;

/**
 * The database that every story begins with: three users with tokens, the instruments, and ada's two
 * strategies: a private one of stocks, to which bob is invited, and a public one of cryptocurrencies.
 */
export const beginning = (): Promise<Buffer> => (image ??= makeImage());

async function makeImage(): Promise<Buffer> {
  const run = newRun({ idPrefix: 'first-' });
  const { world } = run;
  const { application } = (run.process = boot(run));
  await drive(world, application.lifecycle.start());
  await drive(world, application.lifecycle.importStocks(STOCKS.map(([stock]) => stock)));
  const email = (name: string): string => `${name}@example.com`;
  for (const name of USERS) {
    const issue = { email: email(name), name, scope: ['*'], createUser: true };
    await drive(world, application.lifecycle.issueToken(issue));
  }
  const quotes = openingQuotes().map(({ stockId, ...figures }) => ({ stock: stockId, ...figures }));
  await drive(world, application.operations.newQuotes({ kind: 'operator' }, { quotes }));
  await drive(world, application.background.tick());
  const ada = application.requests.authenticate('test_api_1');
  await drive(world, ada);
  for (const type of ['stock', 'cryptocurrency'] as const) {
    const isPrivate = type === 'stock';
    const [bob] = world.database.rows<{ id: string }>(
      "SELECT id FROM users WHERE email = 'bob@example.com'",
    );
    const invitedUserIds = isPrivate && bob ? [bob.id] : [];
    const made = { type, name: type, private: isPrivate, price: 0, invitedUserIds };
    await drive(world, application.operations.newStrategy(await ada, made));
  }
  world.database.execute(`UPDATE users SET password_hash = 'hash of ${PASSWORD}'`);
  const bytes = world.database.image();
  world.database.close();
  if (world.violation) throw world.violation;
  return bytes;
}

/** A run at the beginning; ids and tokens go on from those of the image. */
export async function runAtBeginning(
  options: Omit<WorldOptions, 'image'>,
  bug?: Bug,
): Promise<Run> {
  const run = newRun({ ...options, image: await beginning() }, bug);
  const { world } = run;
  for (const name of USERS) {
    world.note(`there is ${name}`);
    world.secrets.accessTokens.issue('api');
  }
  for (const quote of openingQuotes()) world.market.put(quote);
  return run;
}
