import { beforeEach, describe, expect, it } from '@jest/globals';
import { testSecrets } from '@slipstream/adapter-memory/testing';
import { type SecretBox, SecretUnreadable } from '@slipstream/ports';
import { type Caller } from '../../src/index.js';
import { PASSWORD } from '../accounts.js';
import { world } from '../endpoints/receiver.js';

const anonymous: Caller = { kind: 'anonymous' };
const STEP = 30_000;

/** What was sealed before the loss can be read by nobody any more. */
function losable() {
  const { secretBox } = testSecrets();
  const before = new Set<string>();
  let isLost = false;
  const box: SecretBox = {
    ...secretBox,
    seal(plain, context) {
      const sealed = secretBox.seal(plain, context);
      if (!isLost) before.add(sealed);
      return isLost ? `new ${sealed}` : sealed;
    },
    open(sealed, context) {
      if (isLost && before.has(sealed)) throw new SecretUnreadable('no master key opens this');
      return secretBox.open(sealed.replace(/^new /, ''), context);
    },
  };
  return { secretBox: box, lose: () => (isLost = true) };
}

let lost: ReturnType<typeof losable>;
let made: Awaited<ReturnType<typeof world>>;
beforeEach(async () => {
  lost = losable();
  made = await world(undefined, { secretBox: lost.secretBox });
});

describe('after the master key was lost, a second factor', () => {
  const email = 'ada@example.com';
  const signIn = (totp: string) =>
    made.app.newSession(anonymous, { email, password: PASSWORD, totp });
  const code = (secret: string) => `${secret}:${Math.floor(made.ports.clock.now() / STEP)}`;

  async function withIt() {
    const { app, ada, ports } = made;
    const { secret } = await app.newTotp(ada, { password: PASSWORD });
    const [first = '', second = ''] = await app.confirmTotp(ada, { totp: code(secret) });
    ports.clock.advance(STEP);
    lost.lose();
    return { secret, first, second };
  }

  it('takes no code of the app any more, as if it were wrong', async () => {
    const { secret } = await withIt();
    await expect(signIn(code(secret))).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it('takes each recovery code, which is not encrypted, and is turned off and on again with them', async () => {
    const { first, second } = await withIt();
    await expect(signIn(first)).resolves.toBeDefined();
    await expect(signIn(first)).rejects.toMatchObject({ code: 'unauthenticated' });
    const { app, ada, ports } = made;
    await app.deleteTotp(ada, { password: PASSWORD, totp: second });
    const { secret } = await app.newTotp(ada, { password: PASSWORD });
    await app.confirmTotp(ada, { totp: code(secret) });
    ports.clock.advance(STEP);
    await expect(signIn(code(secret))).resolves.toBeDefined();
  });
});

describe('after the master key was lost, an endpoint', () => {
  it('is disabled with the reason, and works again once its address was given anew, with a secret that is shown', async () => {
    const { app, ada, endpoint, fills, receiver } = made;
    const { endpointId, secret: old } = await endpoint().then((one) => ({
      ...one,
      endpointId: one.endpoint.id,
    }));
    lost.lose();
    await fills(1);
    await app.sendEvents();
    expect((await app.getEndpoints(ada))[0]?.endpoint).toMatchObject({
      status: 'disabled',
      statusReason: expect.stringContaining('the master key was lost'),
    });
    const again = { endpointId, url: 'https://example.com/hook', status: 'active' } as const;
    const { secret } = await app.updateEndpoint(ada, again);
    expect([typeof secret, secret]).toEqual(['string', expect.not.stringMatching(`^${old}$`)]);
    await fills(1);
    await app.sendEvents();
    expect(receiver.sent.map(({ target }) => target)).toMatchObject([{ secrets: [{ secret }] }]);
  });

  it('gives up what it was to be told before the loss, and is told what comes after it', async () => {
    const { app, ada, endpoint, fills, receiver } = made;
    const { id: endpointId } = (await endpoint()).endpoint;
    await fills(1);
    lost.lose();
    await app.updateEndpoint(ada, { endpointId, url: 'https://example.com/hook' });
    await fills(1);
    await app.sendEvents();
    expect(receiver.sent).toHaveLength(1);
    expect(await app.getDeliveries(ada, { endpointId })).toMatchObject([
      { status: 'delivered' },
      { status: 'failed', reason: expect.stringContaining('the master key was lost') },
    ]);
  });
});
