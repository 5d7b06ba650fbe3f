import { afterEach, beforeEach, describe, expect, it } from '../testing.js';
import { type Decimal, decimal, id } from '@slipstream/domain';
import {
  type ChargeAnswer,
  type ChargeRequest,
  NoticeRefused,
  type PaymentGateway,
  PaymentSourceRefused,
  PaymentUnreachable,
} from '@slipstream/ports';

/** The amounts that moved at the gateway, USD as text. */
export interface MovedMoney {
  readonly charged: string;
  readonly refunded: string;
  readonly paidOut: string;
}

type Lossy = 'charge' | 'refund' | 'payOut';

/** A gateway, and the control of its surroundings that the cases need. */
export interface PaymentGatewayFixture {
  readonly gateway: PaymentGateway;
  /** A card that pays, a card that is declined, and a payout source. */
  readonly tokens: { readonly paid: string; readonly declined: string; readonly out: string };
  moved(): MovedMoney;
  /** The next such request reaches the gateway, and its answer is lost. */
  loseNextAnswer(method: Lossy): void;
  /** The next such request does not reach the gateway. */
  loseNextRequest(method: Lossy): void;
  /** A card that its owner must confirm, and the confirmation for the ref that `link` returned. */
  readonly toConfirm: { readonly token: string; confirm(sourceRef: string): Promise<void> };
  /** Wins the dispute of a charge that `chargeBack` charged back; `wonToken` is the card for it. */
  readonly wonToken: string;
  winBack(chargeRef: string): Promise<void>;
  /** The bank charges a payment back. Returns the gateway's notice; undefined if the gateway must be asked instead. */
  chargeBack(
    chargeRef: string,
  ): Promise<{ body: string; headers: Record<string, string> } | undefined>;
  /** A card for `chargeBack`; `tokens.paid` if any card works. */
  readonly disputedToken: string;
  close?(): Promise<void>;
}

const AMOUNT = decimal('15.25');
const FIRST_MONTH = { subscriptionId: id<'subscription'>('subscription-1'), month: 1, since: 0 };
const SECOND_MONTH = { ...FIRST_MONTH, month: 2 };

/** The rules of every payment gateway; billing relies on each of them. */
export const paymentGatewayContract = (
  name: string,
  open: () => Promise<PaymentGatewayFixture>,
): void => {
  describe(`payment gateway contract: ${name}`, () => {
    let fixture: PaymentGatewayFixture;
    let gateway: PaymentGateway;

    beforeEach(async () => {
      fixture = await open();
      gateway = fixture.gateway;
    });
    afterEach(() => fixture.close?.());

    const owner = { sourceId: id<'payment_source'>('source-1'), userId: id<'user'>('user-1') };
    const link = async (token: string, direction: 'in' | 'out' = 'in'): Promise<string> =>
      (await gateway.link({ ...owner, direction, token })).ref;
    const request = (sourceRef: string, rest: Partial<ChargeRequest> = {}): ChargeRequest => ({
      key: 'invoice-1-1',
      amount: AMOUNT,
      isAgain: false,
      isLookup: false,
      sourceRef,
      invoiceId: id('invoice-1'),
      paysFor: FIRST_MONTH,
      attemptsBefore: 0,
      description: 'Steady, month 1',
      product: { id: gateway.productId(id('strategy-1')), name: 'Steady' },
      ...rest,
    });
    const refOf = (answer: ChargeAnswer): string => {
      if (answer.kind !== 'paid') throw new Error(`it was not paid: ${JSON.stringify(answer)}`);
      return answer.ref;
    };
    const charged = async (token = fixture.tokens.paid): Promise<string> =>
      refOf(await gateway.charge(request(await link(token))));
    const refund = (chargeRef: string, isAgain = false, amount: Decimal = AMOUNT) =>
      gateway.refund({ key: 'invoice-1-refund', amount, isAgain, chargeRef });
    const payOut = (sourceRef: string, isAgain = false, isLookup = false) =>
      gateway.payOut({ key: 'withdrawal-1', amount: AMOUNT, isAgain, isLookup, sourceRef });
    const unreachable = (asked: Promise<unknown>) =>
      expect(asked).rejects.toBeInstanceOf(PaymentUnreachable);

    it('PG-01 always gives a strategy the same product id, and every strategy a different one', () => {
      const product = gateway.productId(id('strategy-1'));
      expect(product).toBe(gateway.productId(id('strategy-1')));
      expect(product).not.toBe(gateway.productId(id('strategy-2')));
      expect(product.length).toBeGreaterThan(0);
    });

    it('PG-02 links a source for payments and describes it without its number', async () => {
      const { paid } = fixture.tokens;
      const linked = await gateway.link({ ...owner, direction: 'in', token: paid });
      expect(linked.kind).toBe('linked');
      expect(linked.type).toBe('card');
      expect(linked.description).toMatch(/\w.* ending in \d{4}$/);
      expect(`${linked.description}${linked.ref}`).not.toMatch(/\d{12,}/);
    });

    it('PG-03 links a source for payouts', async () => {
      expect(await link(fixture.tokens.out, 'out')).not.toBe('');
    });

    it('PG-04 refuses an invalid token, and a token for the other direction', async () => {
      await expect(link('nothing')).rejects.toBeInstanceOf(PaymentSourceRefused);
      await expect(link('nothing', 'out')).rejects.toBeInstanceOf(PaymentSourceRefused);
      await expect(link(fixture.tokens.out)).rejects.toBeInstanceOf(PaymentSourceRefused);
      const wrong = link(fixture.tokens.paid, 'out');
      await expect(wrong).rejects.toBeInstanceOf(PaymentSourceRefused);
    });

    it('PG-05 charges to the cent, and names the charge', async () => {
      expect(await charged()).not.toBe('');
      expect(fixture.moved().charged).toBe('15.25');
    });

    it('PG-06 returns a decline and charges nothing', async () => {
      const answer = await gateway.charge(request(await link(fixture.tokens.declined)));
      expect(answer).toMatchObject({ kind: 'declined' });
      expect(fixture.moved().charged).toBe('0');
    });

    it('PG-07 charges once for each key, and repeats its answer', async () => {
      const source = await link(fixture.tokens.paid);
      const first = await gateway.charge(request(source));
      expect(await gateway.charge(request(source, { isAgain: true }))).toEqual(first);
      expect(fixture.moved().charged).toBe('15.25');
    });

    it('PG-22 tells what came of a charge without making one', async () => {
      const source = await link(fixture.tokens.paid);
      const lookup = request(source, { isAgain: true, isLookup: true });
      fixture.loseNextRequest('charge');
      await unreachable(gateway.charge(request(source)));
      expect(await gateway.charge(lookup)).toEqual({ kind: 'not_made' });
      expect(fixture.moved().charged).toBe('0');
      const other = { key: 'invoice-2-1' };
      fixture.loseNextAnswer('charge');
      await unreachable(gateway.charge(request(source, other)));
      expect(await gateway.charge({ ...lookup, ...other })).toMatchObject({ kind: 'paid' });
      expect(fixture.moved().charged).toBe('15.25');
    });

    it('PG-08 charges again under another key, for another month', async () => {
      const source = await link(fixture.tokens.paid);
      const first = refOf(await gateway.charge(request(source)));
      const second = refOf(
        await gateway.charge(request(source, { key: 'invoice-2-1', paysFor: SECOND_MONTH })),
      );
      expect(second).not.toBe(first);
      expect(fixture.moved().charged).toBe('30.5');
    });

    it('PG-09 declines again under the same key', async () => {
      const source = await link(fixture.tokens.declined);
      const first = await gateway.charge(request(source));
      const again = await gateway.charge(request(source, { isAgain: true }));
      expect([first.kind, again.kind]).toEqual(['declined', 'declined']);
    });

    it('PG-10 throws if an answer is lost, and has charged once after a repeat', async () => {
      const source = await link(fixture.tokens.paid);
      fixture.loseNextAnswer('charge');
      await unreachable(gateway.charge(request(source)));
      refOf(await gateway.charge(request(source, { isAgain: true })));
      expect(fixture.moved().charged).toBe('15.25');
    });

    it('PG-11 throws if a request is lost, and charges at the repeat', async () => {
      const source = await link(fixture.tokens.paid);
      fixture.loseNextRequest('charge');
      await unreachable(gateway.charge(request(source)));
      expect(fixture.moved().charged).toBe('0');
      refOf(await gateway.charge(request(source, { isAgain: true })));
      expect(fixture.moved().charged).toBe('15.25');
    });

    it('PG-12 throws if the answer to a refund is lost, and has refunded once after a repeat', async () => {
      const chargeRef = await charged();
      fixture.loseNextAnswer('refund');
      await unreachable(refund(chargeRef));
      expect(await refund(chargeRef, true)).toEqual({ kind: 'done' });
      expect(await refund(chargeRef, true)).toEqual({ kind: 'done' });
      expect(fixture.moved().refunded).toBe('15.25');
    });

    it('PG-13 throws if the answer to a payout is lost, and has paid out once after a repeat', async () => {
      const sourceRef = await link(fixture.tokens.out, 'out');
      fixture.loseNextAnswer('payOut');
      await unreachable(payOut(sourceRef));
      expect(await payOut(sourceRef, true)).toEqual({ kind: 'done' });
      expect(await payOut(sourceRef, true)).toEqual({ kind: 'done' });
      expect(fixture.moved().paidOut).toBe('15.25');
    });

    it('PG-24 tells what came of a payout without making one', async () => {
      const sourceRef = await link(fixture.tokens.out, 'out');
      fixture.loseNextRequest('payOut');
      await unreachable(payOut(sourceRef));
      expect(await payOut(sourceRef, true, true)).toEqual({ kind: 'not_made' });
      expect(await payOut(sourceRef, true, true)).toEqual({ kind: 'not_made' });
      expect(fixture.moved().paidOut).toBe('0');
    });

    it('PG-25 tells that a payout was made whose answer was lost', async () => {
      const sourceRef = await link(fixture.tokens.out, 'out');
      fixture.loseNextAnswer('payOut');
      await unreachable(payOut(sourceRef));
      expect(await payOut(sourceRef, true, true)).toEqual({ kind: 'done' });
      expect(fixture.moved().paidOut).toBe('15.25');
    });

    it('PG-14 returns the state of a charge, and reports a chargeback by notice or when asked', async () => {
      const chargeRef = await charged(fixture.disputedToken);
      const before = await gateway.standing(chargeRef);
      expect([before.kind, before.refunded.toFixed()]).toEqual(['paid', '0']);
      expect(before.checkAgainAt).not.toBeNull();
      const posted = await fixture.chargeBack(chargeRef);
      expect((await gateway.standing(chargeRef)).kind).toBe('charged_back');
      if (!posted) return;
      const notice = await gateway.readNotice?.(posted.body, posted.headers);
      expect(notice).toEqual({ kind: 'charge_changed', chargeRef });
    });

    it('PG-15 refuses notices that others post', async () => {
      if (!gateway.readNotice) return;
      const chargeRef = await charged(fixture.disputedToken);
      const posted = await fixture.chargeBack(chargeRef);
      if (!posted) throw new Error('a gateway that reads notices posts them');
      for (const [body, headers] of [
        [`${posted.body} `, posted.headers],
        [posted.body, {}],
      ] as const) {
        await expect(gateway.readNotice(body, headers)).rejects.toBeInstanceOf(NoticeRefused);
      }
    });

    it('PG-16 removes a source, also twice', async () => {
      const source = await link(fixture.tokens.paid);
      await gateway.unlink(source);
      await gateway.unlink(source);
      await gateway.unlink(await link(fixture.tokens.out, 'out'));
    });

    it('PG-23 begins a source at most once, before it is linked, and removes it by that ref', async () => {
      const begun: string[] = [];
      const asked = { ...owner, direction: 'in', token: fixture.tokens.paid } as const;
      const linked = await gateway.link({ ...asked, begun: async (ref) => void begun.push(ref) });
      expect(begun.length).toBeLessThanOrEqual(1);
      const [ref] = begun;
      if (ref === undefined) return;
      await gateway.unlink(ref);
      expect(await gateway.charge(request(linked.ref))).toMatchObject({ kind: 'declined' });
      const fails = { ...asked, begun: () => Promise.reject(new Error('it cannot be stored')) };
      await expect(gateway.link(fails)).rejects.toThrow();
    });

    it('PG-19 refunds up to the total amount, and reports the total', async () => {
      const chargeRef = await charged();
      expect(await refund(chargeRef, false, decimal('5.25'))).toEqual({ kind: 'done' });
      expect(await refund(chargeRef, false, decimal('5.25'))).toEqual({ kind: 'done' });
      expect((await gateway.standing(chargeRef)).refunded.toFixed()).toBe('5.25');
      expect(await refund(chargeRef, false, decimal('10'))).toEqual({ kind: 'done' });
      expect(fixture.moved().refunded).toBe('10');
    });

    it('PG-20 reports a charge as paid again after its dispute was won', async () => {
      const chargeRef = await charged(fixture.wonToken);
      await fixture.chargeBack(chargeRef);
      const { kind, checkAgainAt, isLost = false } = await gateway.standing(chargeRef);
      expect([kind, checkAgainAt === null, isLost]).toEqual(['charged_back', false, false]);
      await fixture.winBack(chargeRef);
      expect((await gateway.standing(chargeRef)).kind).toBe('paid');
    });

    it('PG-21 links a card that its owner must confirm, and charges it after that', async () => {
      const { token, confirm } = fixture.toConfirm;
      const asked = await gateway.link({ ...owner, direction: 'in', token });
      expect(asked).toMatchObject({ kind: 'to_confirm', type: 'card', nextAction: {} });
      expect(await gateway.confirmation(asked.ref)).toEqual({ kind: 'waiting' });
      expect(await gateway.charge(request(asked.ref))).toMatchObject({ kind: 'declined' });
      await confirm(asked.ref);
      const linked = await gateway.confirmation(asked.ref);
      if (linked.kind !== 'linked') throw new Error(linked.kind);
      expect(linked.description).toBe(asked.description);
      refOf(await gateway.charge(request(linked.ref, { key: 'invoice-2-1' })));
    });

    it('PG-17 throws if the request for a refund is lost, and refunds at the repeat', async () => {
      const chargeRef = await charged();
      fixture.loseNextRequest('refund');
      await unreachable(refund(chargeRef));
      expect(fixture.moved().refunded).toBe('0');
      expect(await refund(chargeRef, true)).toEqual({ kind: 'done' });
      expect(fixture.moved().refunded).toBe('15.25');
    });

    it('PG-18 throws if the request for a payout is lost, and pays out at the repeat', async () => {
      const sourceRef = await link(fixture.tokens.out, 'out');
      fixture.loseNextRequest('payOut');
      await unreachable(payOut(sourceRef));
      expect(fixture.moved().paidOut).toBe('0');
      expect(await payOut(sourceRef, true)).toEqual({ kind: 'done' });
      expect(fixture.moved().paidOut).toBe('15.25');
    });
  });
};
