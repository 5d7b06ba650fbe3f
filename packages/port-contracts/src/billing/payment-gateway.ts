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

/** What moved at the gateway, USD as text. */
export interface MovedMoney {
  readonly charged: string;
  readonly refunded: string;
  readonly paidOut: string;
}

type Lossy = 'charge' | 'refund' | 'payOut';

/** A gateway, and the hands on the world that the cases need. */
export interface PaymentGatewayFixture {
  readonly gateway: PaymentGateway;
  /** A card that pays, one that is declined, and something to be paid to. */
  readonly tokens: { readonly paid: string; readonly declined: string; readonly out: string };
  moved(): MovedMoney;
  /** The next such request reaches the gateway; its answer does not come back. */
  loseNextAnswer(method: Lossy): void;
  /** The next such request does not reach the gateway. */
  loseNextRequest(method: Lossy): void;
  /** A card that its owner confirms first, and what they do then: `link` answered that ref. */
  readonly toConfirm: { readonly token: string; confirm(sourceRef: string): Promise<void> };
  /** The dispute of a charge that `chargeBack` took back is won; `wonToken` is the card it works with. */
  readonly wonToken: string;
  winBack(chargeRef: string): Promise<void>;
  /** The bank takes a charge back. Answers what the gateway posts of it; undefined when it is asked instead. */
  chargeBack(
    chargeRef: string,
  ): Promise<{ body: string; headers: Record<string, string> } | undefined>;
  /** A card whose charge `chargeBack` takes back; `tokens.paid` when every one will do. */
  readonly disputedToken: string;
  close?(): Promise<void>;
}

const AMOUNT = decimal('15.25');

/** What every payment gateway must do: billing relies on each of these. */
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
      sourceRef,
      invoiceId: id('invoice-1'),
      attemptsBefore: 0,
      description: 'Steady, month 1',
      product: { id: gateway.productId(id('strategy-1')), name: 'Steady' },
      ...rest,
    });
    const refOf = (answer: ChargeAnswer): string => {
      if (answer.kind !== 'paid') throw new Error(answer.reason);
      return answer.ref;
    };
    const charged = async (token = fixture.tokens.paid): Promise<string> =>
      refOf(await gateway.charge(request(await link(token))));
    const refund = (chargeRef: string, isAgain = false, amount: Decimal = AMOUNT) =>
      gateway.refund({ key: 'invoice-1-refund', amount, isAgain, chargeRef });
    const payOut = (sourceRef: string, isAgain = false) =>
      gateway.payOut({ key: 'withdrawal-1', amount: AMOUNT, isAgain, sourceRef });
    const unreachable = (asked: Promise<unknown>) =>
      expect(asked).rejects.toBeInstanceOf(PaymentUnreachable);

    it('PG-01 names the product of a strategy, always the same, each its own', () => {
      const product = gateway.productId(id('strategy-1'));
      expect(product).toBe(gateway.productId(id('strategy-1')));
      expect(product).not.toBe(gateway.productId(id('strategy-2')));
      expect(product.length).toBeGreaterThan(0);
    });

    it('PG-02 links what pays and describes it without a number that pays', async () => {
      const { paid } = fixture.tokens;
      const linked = await gateway.link({ ...owner, direction: 'in', token: paid });
      expect(linked.kind).toBe('linked');
      expect(linked.type).toBe('card');
      expect(linked.description).toMatch(/\w.* ending in \d{4}$/);
      expect(`${linked.description}${linked.ref}`).not.toMatch(/\d{12,}/);
    });

    it('PG-03 links what is paid to', async () => {
      expect(await link(fixture.tokens.out, 'out')).not.toBe('');
    });

    it('PG-04 refuses a token that is none, and one for the other direction', async () => {
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

    it('PG-06 answers a decline, and takes nothing', async () => {
      const answer = await gateway.charge(request(await link(fixture.tokens.declined)));
      expect(answer).toMatchObject({ kind: 'declined' });
      expect(fixture.moved().charged).toBe('0');
    });

    it('PG-07 charges once a key, and answers the same again', async () => {
      const source = await link(fixture.tokens.paid);
      const first = await gateway.charge(request(source));
      expect(await gateway.charge(request(source, { isAgain: true }))).toEqual(first);
      expect(fixture.moved().charged).toBe('15.25');
    });

    it('PG-08 charges again under another key', async () => {
      const source = await link(fixture.tokens.paid);
      const first = refOf(await gateway.charge(request(source)));
      const second = refOf(await gateway.charge(request(source, { key: 'invoice-2-1' })));
      expect(second).not.toBe(first);
      expect(fixture.moved().charged).toBe('30.5');
    });

    it('PG-09 declines again under the same key', async () => {
      const source = await link(fixture.tokens.declined);
      const first = await gateway.charge(request(source));
      const again = await gateway.charge(request(source, { isAgain: true }));
      expect([first.kind, again.kind]).toEqual(['declined', 'declined']);
    });

    it('PG-10 throws when an answer is lost, and has charged once when asked again', async () => {
      const source = await link(fixture.tokens.paid);
      fixture.loseNextAnswer('charge');
      await unreachable(gateway.charge(request(source)));
      refOf(await gateway.charge(request(source, { isAgain: true })));
      expect(fixture.moved().charged).toBe('15.25');
    });

    it('PG-11 throws when a request is lost, and charges when asked again', async () => {
      const source = await link(fixture.tokens.paid);
      fixture.loseNextRequest('charge');
      await unreachable(gateway.charge(request(source)));
      expect(fixture.moved().charged).toBe('0');
      refOf(await gateway.charge(request(source, { isAgain: true })));
      expect(fixture.moved().charged).toBe('15.25');
    });

    it('PG-12 throws when the answer of a refund is lost, and has given back once when asked again', async () => {
      const chargeRef = await charged();
      fixture.loseNextAnswer('refund');
      await unreachable(refund(chargeRef));
      expect(await refund(chargeRef, true)).toEqual({ kind: 'done' });
      expect(await refund(chargeRef, true)).toEqual({ kind: 'done' });
      expect(fixture.moved().refunded).toBe('15.25');
    });

    it('PG-13 throws when the answer of a payout is lost, and has paid out once when asked again', async () => {
      const sourceRef = await link(fixture.tokens.out, 'out');
      fixture.loseNextAnswer('payOut');
      await unreachable(payOut(sourceRef));
      expect(await payOut(sourceRef, true)).toEqual({ kind: 'done' });
      expect(await payOut(sourceRef, true)).toEqual({ kind: 'done' });
      expect(fixture.moved().paidOut).toBe('15.25');
    });

    it('PG-14 says how a charge stands, and tells or is asked when the bank takes it back', async () => {
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

    it('PG-15 believes nothing that is posted by others', async () => {
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

    it('PG-16 lets go of a source, twice too', async () => {
      const source = await link(fixture.tokens.paid);
      await gateway.unlink(source);
      await gateway.unlink(source);
      await gateway.unlink(await link(fixture.tokens.out, 'out'));
    });

    it('PG-19 gives back until the amount is reached in all, and says so', async () => {
      const chargeRef = await charged();
      expect(await refund(chargeRef, false, decimal('5.25'))).toEqual({ kind: 'done' });
      expect(await refund(chargeRef, false, decimal('5.25'))).toEqual({ kind: 'done' });
      expect((await gateway.standing(chargeRef)).refunded.toFixed()).toBe('5.25');
      expect(await refund(chargeRef, false, decimal('10'))).toEqual({ kind: 'done' });
      expect(fixture.moved().refunded).toBe('10');
    });

    it('PG-20 says that a charge is paid again when its dispute was won', async () => {
      const chargeRef = await charged(fixture.wonToken);
      await fixture.chargeBack(chargeRef);
      const lost = await gateway.standing(chargeRef);
      expect([lost.kind, lost.checkAgainAt === null]).toEqual(['charged_back', false]);
      await fixture.winBack(chargeRef);
      expect((await gateway.standing(chargeRef)).kind).toBe('paid');
    });

    it('PG-21 links a card that its owner confirms first, and charges it then', async () => {
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

    it('PG-17 throws when the request of a refund is lost, and gives back when asked again', async () => {
      const chargeRef = await charged();
      fixture.loseNextRequest('refund');
      await unreachable(refund(chargeRef));
      expect(fixture.moved().refunded).toBe('0');
      expect(await refund(chargeRef, true)).toEqual({ kind: 'done' });
      expect(fixture.moved().refunded).toBe('15.25');
    });

    it('PG-18 throws when the request of a payout is lost, and pays out when asked again', async () => {
      const sourceRef = await link(fixture.tokens.out, 'out');
      fixture.loseNextRequest('payOut');
      await unreachable(payOut(sourceRef));
      expect(fixture.moved().paidOut).toBe('0');
      expect(await payOut(sourceRef, true)).toEqual({ kind: 'done' });
      expect(fixture.moved().paidOut).toBe('15.25');
    });
  });
};
