import { type Quote, decimal } from '@slipstream/domain';
import type { UnitOfWork } from '@slipstream/ports';
import { boot } from '../core/boot.js';
import type { Bug } from '../bugs/bug.js';
import { type Run, newRun } from '../run/run.js';
import { USERS } from '../story/story.js';
import { STOCKS } from '../world/stocks.js';
import { type Work, repeatOn } from '../world/storage-log.js';
import { BEGINNING, PASSWORD, type World, type WorldOptions } from '../world/world.js';

const half = decimal('0.0001');
const PASSWORD_HASH = `hash of ${PASSWORD}`;

/** The first prices, for the broker and the core. */
function openingQuotes(): Quote[] {
  return STOCKS.map(([{ id }, text]) => {
    const last = decimal(text);
    const spread = last.times(half).round(8);
    return { stockId: id, bid: last.minus(spread), ask: last.plus(spread), last, at: BEGINNING };
  });
}

/** Runs a task of the core to its end. */
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

interface Beginning {
  readonly image: Buffer;
  /** The storage calls made meanwhile. */
  readonly works: readonly Work[];
}

let begun: Promise<Beginning> | undefined;

/**
 * The database at the beginning of every story: three users with tokens, the instruments, and two strategies of ada: a
 * private one of stocks, to which bob is invited, and a public one of cryptocurrencies.
 */
const beginning = (): Promise<Beginning> => (begun ??= begin());

async function begin(): Promise<Beginning> {
  const run = newRun({ idPrefix: 'first-', logsStorage: true });
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
  world.database.execute(`UPDATE users SET password_hash = '${PASSWORD_HASH}'`);
  const image = world.database.image();
  world.database.close();
  if (world.violation) throw world.violation;
  return { image, works: world.storageLog?.take() ?? [] };
}

/** Brings another storage to the beginning of every story. Returns the difference in its answers, if there is one. */
export async function beginOn(storage: UnitOfWork): Promise<string | undefined> {
  const { works } = await beginning();
  const found = await repeatOn(storage, works);
  await storage.run(async ({ users }) => {
    for (const name of USERS) {
      const user = await users.findByEmail(`${name}@example.com`);
      if (user) await users.save({ ...user, passwordHash: PASSWORD_HASH });
    }
  });
  return found;
}

/** A run at the beginning; ids and tokens continue after those of the image. */
export async function runAtBeginning(
  options: Omit<WorldOptions, 'image'>,
  bug?: Bug,
): Promise<Run> {
  const { image } = await beginning();
  const run = newRun({ ...options, image }, bug);
  const { world } = run;
  for (const name of USERS) {
    world.note(`there is ${name}`);
    world.secrets.accessTokens.issue('api');
  }
  for (const quote of openingQuotes()) world.market.put(quote);
  return run;
}
