import { fixedClock } from '@slipstream/adapter-memory/testing';
import { describe, expect, it } from '@jest/globals';
import { decimal, id, DAY } from '@slipstream/domain';
import { type PaymentGatewayFixture, paymentGatewayContract } from '@slipstream/port-contracts';
import { PaymentUnreachable } from '@slipstream/ports';
import {
  CHARGED_BACK_AFTER,
  CONFIRMED_AFTER,
  gatewayFaults,
  simulatedGateway,
} from '../src/index.js';

const START = Date.UTC(2026, 0, 5);

const open = async (): Promise<PaymentGatewayFixture> => {
  const clock = fixedClock(START);
  const faults = gatewayFaults();
  const gateway = simulatedGateway({ clock, faults });
  return {
    gateway,
    tokens: { paid: 'test_card_paid', declined: 'test_card_declined', out: 'test_bank' },
    disputedToken: 'test_card_chargeback',
    wonToken: 'test_card_dispute_won',
    toConfirm: {
      token: 'test_card_confirm',
      confirm: async () => clock.advance(CONFIRMED_AFTER),
    },
    winBack: async () => clock.advance(20 * DAY),
    moved: () => {
      const { charged, refunded, paidOut } = gateway.moved();
      return {
        charged: charged.toFixed(),
        refunded: refunded.toFixed(),
        paidOut: paidOut.toFixed(),
      };
    },
    loseNextAnswer: (method) => faults.on(method, 'lost_answer'),
    loseNextRequest: (method) => faults.on(method, 'lost_request'),
    chargeBack: async () => {
      clock.advance(CHARGED_BACK_AFTER);
      return undefined;
    },
  };
};

paymentGatewayContract('simulated', open);

describe('the test cards', () => {
  const charge = async (token: string, attemptsBefore: number) => {
    const gateway = simulatedGateway({ clock: fixedClock(START) });
    const { ref } = await gateway.link({
      sourceId: id('source'),
      userId: id('user'),
      direction: 'in',
      token,
    });
    return gateway.charge({
      key: `key-${attemptsBefore}`,
      amount: decimal('15'),
      isAgain: false,
      isLookup: false,
      sourceRef: ref,
      invoiceId: id('invoice'),
      paysFor: { subscriptionId: id('subscription-1'), month: 1, since: 0 },
      attemptsBefore,
      description: '',
      product: { id: 'product', name: '' },
    });
  };

  it.each([
    ['test_card_paid', ['paid', 'paid', 'paid']],
    ['test_card_declined', ['declined', 'declined', 'declined']],
    ['test_card_retried', ['declined', 'paid', 'paid']],
    ['test_card_chargeback', ['paid', 'paid', 'paid']],
  ])('%s answers its attempts with %j', async (token, answers) => {
    const kinds = await Promise.all([0, 1, 2].map((before) => charge(token, before)));
    expect(kinds.map(({ kind }) => kind)).toEqual(answers);
  });

  it('say when a charge must be checked again, without a memory', async () => {
    const answer = await charge('test_card_chargeback', 0);
    expect(answer).toMatchObject({ checkAgainAt: START + CHARGED_BACK_AFTER });
    const ref = answer.kind === 'paid' ? answer.ref : '';
    const clock = fixedClock(START + CHARGED_BACK_AFTER - 1);
    const restarted = simulatedGateway({ clock });
    expect(await restarted.standing(ref)).toMatchObject({
      kind: 'paid',
      checkAgainAt: START + CHARGED_BACK_AFTER,
    });
    clock.advance(1);
    expect(await restarted.standing(ref)).toMatchObject({ kind: 'charged_back' });
    const earlier = `simulated-disputed-charge:key@${START}`;
    expect(await restarted.standing(earlier)).toMatchObject({ kind: 'charged_back' });
  });

  it('say that only half was charged back of the card of that kind, also after a restart', async () => {
    const answer = await charge('test_card_chargeback_half', 0);
    const ref = answer.kind === 'paid' ? answer.ref : '';
    const restarted = simulatedGateway({ clock: fixedClock(START + CHARGED_BACK_AFTER) });
    const { kind, disputed } = await restarted.standing(ref);
    expect([kind, disputed?.toFixed()]).toEqual(['charged_back', '7.5']);
  });
});

describe('what another gateway has made', () => {
  const gateway = simulatedGateway({ clock: fixedClock(START) });
  const request = { key: 'key', amount: decimal('15'), isAgain: false };

  it.each<[string, () => Promise<unknown>]>([
    [
      'a charge of its source',
      () =>
        gateway.charge({
          ...{ ...request, isLookup: false, sourceRef: 'cus_1/pm_1', invoiceId: id('invoice') },
          paysFor: { subscriptionId: id('subscription-1'), month: 1, since: 0 },
          ...{ attemptsBefore: 0, description: '', product: { id: 'product', name: '' } },
        }),
    ],
    ['a refund of its charge', () => gateway.refund({ ...request, chargeRef: 'pi_1' })],
    ['the standing of its charge', () => gateway.standing('pi_1')],
    ['the confirmation of its source', () => gateway.confirmation('seti_1')],
    ['the removal of its source', () => gateway.unlink('cus_1/pm_1')],
  ])('waits for that one: %s is neither made nor declined', async (_, ask) => {
    await expect(ask()).rejects.toThrow(PaymentUnreachable);
    const { charged, refunded } = gateway.moved();
    expect([charged, refunded].map(String)).toEqual(['0', '0']);
  });
});
