import { beforeEach, describe, expect, it } from '@jest/globals';
import { MINUTE } from '@slipstream/domain';
import { PaymentUnreachable } from '@slipstream/ports';
import type { UserCaller } from '../../src/index.js';
import { PASSWORD } from '../accounts.js';
import { type BillingWorld, billingWorld } from './billing-world.js';

let world: BillingWorld;
let payer: UserCaller;
/** The refs of what is linked at the gateway. */
let linked: string[];
/** What happens between the gateway's first request and its answer. */
let meanwhile: () => Promise<unknown>;

beforeEach(async () => {
  const { gateway } = await billingWorld();
  [linked, meanwhile] = [[], async () => undefined];
  let asked = 0;
  world = await billingWorld({
    ...gateway,
    link: async (request) => {
      const ref = `link-${(asked += 1)}`;
      await request.begun?.(ref);
      const answer = await gateway.link(request);
      linked.push(ref);
      await meanwhile();
      return { ...answer, ref };
    },
    unlink: async (sourceRef) => void (linked = linked.filter((ref) => ref !== sourceRef)),
  });
  payer = await world.user('payer');
});

const pays = () => world.pay(payer, 'test_card_paid');
const isLost = () => Promise.reject(new PaymentUnreachable('the answer was lost'));
const shown = async () =>
  (await world.app.getPaymentSources(payer)).map(({ source }) => source.gatewayRef);
const rows = () =>
  world.ports.unitOfWork.read(({ paymentSources }) => paymentSources.listOf(payer.userId));

describe('a source that the gateway was asked to link', () => {
  it('is removed there after ten minutes when its answer was lost, and never shown', async () => {
    meanwhile = isLost;
    await expect(pays()).rejects.toMatchObject({ code: 'payment_gateway' });
    world.ports.clock.advance(9 * MINUTE);
    await world.app.runBilling();
    expect(linked).toEqual(['link-1']);
    world.ports.clock.advance(MINUTE);
    await world.app.runBilling();
    expect(linked).toEqual([]);
    expect(await shown()).toEqual([]);
    expect((await world.app.getUserExport(payer, {})).paymentSources).toEqual([]);
  });

  it('is in the log with what the gateway said, when it is not linked or not removed', async () => {
    const { gateway } = world;
    world = await billingWorld({
      ...gateway,
      link: (request) => (request.token === 'lost' ? isLost() : gateway.link(request)),
      unlink: isLost,
    });
    payer = await world.user('payer');
    const said = 'PaymentUnreachable: the answer was lost';
    await expect(world.pay(payer, 'lost')).rejects.toMatchObject({ code: 'payment_gateway' });
    expect(world.logged.splice(0)).toEqual([expect.stringContaining(said)]);
    const sourceId = await pays();
    await world.app.deletePaymentSource(payer, { sourceId });
    await world.app.runBilling();
    expect(world.logged).toEqual([expect.stringContaining(said)]);
  });

  it('stays there when it is stored as linked', async () => {
    await pays();
    await world.days(2);
    expect([linked, await shown()]).toEqual([['link-1'], ['link-1']]);
  });

  it('leaves no row behind for each that came to nothing', async () => {
    meanwhile = isLost;
    for (let tries = 0; tries < 3; tries += 1) {
      await expect(pays()).rejects.toMatchObject({ code: 'payment_gateway' });
      await world.days(1);
    }
    meanwhile = async () => undefined;
    await pays();
    expect((await rows()).map(({ status }) => status)).toEqual(['active']);
  });

  it('is refused and removed when another one took its row at the same time', async () => {
    meanwhile = isLost;
    await expect(pays()).rejects.toMatchObject({ code: 'payment_gateway' });
    await world.days(1);
    meanwhile = async () => undefined;
    const answers = await Promise.allSettled([pays(), pays()]);
    const refused = answers.flatMap((one) =>
      one.status === 'rejected' ? [one.reason as unknown] : [],
    );
    expect(refused).toMatchObject([{ code: 'conflict' }]);
    await world.days(1);
    expect(await shown()).toEqual(linked);
    expect(linked).toHaveLength(1);
  });

  it('is refused and removed when its answer came too late', async () => {
    meanwhile = async () => {
      world.ports.clock.advance(11 * MINUTE);
      await world.app.runBilling();
    };
    await expect(pays()).rejects.toMatchObject({ code: 'conflict' });
    expect([linked, await shown()]).toEqual([[], []]);
  });

  it('is not begun for an account that has ended', async () => {
    await world.app.deleteUser(payer, { password: PASSWORD });
    await expect(pays()).rejects.toMatchObject({ code: 'unauthenticated' });
    expect([linked, await rows()]).toEqual([[], []]);
  });

  it('is removed after the end of its account meanwhile', async () => {
    meanwhile = () => world.app.deleteUser(payer, { password: PASSWORD });
    await expect(pays()).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(linked).toEqual([]);
    await world.days(1);
    expect((await rows()).map(({ dueAt }) => dueAt)).toEqual([null]);
  });
});
