import { describe, expect, it } from './testing.js';
import { type Quote, type Stock, type StockId, type Timestamp, id, HOUR } from '@slipstream/domain';
import type { Log, Mail, Mailer, MarketFeed, TradingHours } from '@slipstream/ports';

/** Trading hours under test. */
export interface TradingHoursFixture {
  readonly hours: TradingHours;
  /** One of each kind of exchange. */
  readonly stocks: readonly Stock[];
  /** From where on they are looked at. */
  readonly from: Timestamp;
}

/** The specification of `TradingHours`. */
export const tradingHoursContract = (name: string, open: () => TradingHoursFixture): void => {
  describe(`trading hours contract: ${name}`, () => {
    /** Two weeks of moments, at all hours of the day. */
    const moments = (from: Timestamp) => Array.from({ length: 48 }, (_, n) => from + n * 7 * HOUR);

    it('TH-01 returns the session that contains the moment, the same each time', () => {
      const { hours, stocks, from } = open();
      for (const stock of stocks) {
        for (const at of moments(from)) {
          const session = hours.sessionAt(stock, at);
          expect(hours.sessionAt(stock, at)).toEqual(session);
          if (!session) continue;
          expect(session.opensAt <= at && at < session.closesAt).toBe(true);
          expect(hours.sessionAt(stock, session.opensAt)).toEqual(session);
          expect(hours.sessionAt(stock, session.closesAt - 1)).toEqual(session);
        }
      }
    });

    it('TH-02 returns the next session, which opens later and has no other before it', () => {
      const { hours, stocks, from } = open();
      for (const stock of stocks) {
        for (const at of moments(from)) {
          const next = hours.nextSession(stock, at);
          if (!next) {
            expect(hours.sessionAt(stock, at)).toBeDefined();
            continue;
          }
          expect(next.opensAt).toBeGreaterThan(at);
          expect(hours.sessionAt(stock, next.opensAt)).toEqual(next);
          expect(hours.nextSession(stock, next.opensAt - 1)).toEqual(next);
        }
      }
    });
  });
};

/** A feed under test. */
export interface MarketFeedFixture {
  readonly feed: MarketFeed;
  /** Instruments that it knows. */
  readonly stocks: readonly Stock[];
  /** Lets time go by until it has handed over something, if ever. */
  pass(): Promise<void>;
}

/** The specification of `MarketFeed`. */
export const marketFeedContract = (name: string, open: () => MarketFeedFixture): void => {
  describe(`market feed contract: ${name}`, () => {
    const started = async () => {
      const fixture = open();
      const received: Quote[] = [];
      const named: StockId[] = [];
      await fixture.feed.start(fixture.stocks, [], {
        quotes: (quotes) => received.push(...quotes),
        lost: (stockIds) => named.push(...stockIds),
        status: (stockId) => named.push(stockId),
      });
      await fixture.pass();
      return { ...fixture, received, named };
    };

    it('MF-01 tells of its stocks only, and none if quotes are pushed from outside', async () => {
      const { feed, stocks, received, named } = await started();
      const known = new Set(stocks.map((stock) => stock.id));
      expect(received.every(({ stockId }) => known.has(stockId))).toBe(true);
      expect(named.every((stockId) => known.has(stockId))).toBe(true);
      expect(received.length > 0).toBe(!feed.acceptsQuotes);
      await feed.stop();
    });

    it('MF-02 delivers nothing after it has stopped, and can be stopped twice', async () => {
      const { feed, pass, received } = await started();
      await feed.stop();
      const { length } = received;
      await pass();
      expect(received).toHaveLength(length);
      await feed.stop();
    });

    it('MF-03 stops without having been started', async () => {
      await expect(open().feed.stop()).resolves.toBeUndefined();
    });

    it('MF-04 tells the health of the same sources at all times, of none if quotes are pushed from outside', async () => {
      const names = (feed: MarketFeed) => feed.health().map((source) => source.name);
      const unstarted = open().feed;
      for (const { age, healthy, reconnects } of unstarted.health())
        expect({ age, healthy, reconnects }).toEqual({ age: null, healthy: false, reconnects: 0 });
      const { feed } = await started();
      expect(names(feed)).toEqual(names(unstarted));
      expect(new Set(names(feed)).size).toBe(names(feed).length);
      expect(names(feed).length > 0).toBe(!feed.acceptsQuotes);
      for (const { age, healthy, drops } of feed.health()) {
        expect(age).toBeGreaterThanOrEqual(0);
        expect(healthy).toBe(true);
        expect(Object.values(drops).every((count) => Number.isInteger(count) && count > 0)).toBe(
          true,
        );
      }
      await feed.stop();
      expect(names(feed)).toEqual(names(unstarted));
    });
  });
};

/** A mailer under test, and the mail server that it sends to. */
export interface MailerFixture {
  readonly mailer: Mailer;
  /** What has arrived so far: the message with all its lines, and to whom. */
  arrived(): Promise<readonly { readonly to: string; readonly message: string }[]>;
  /** From now on mails are not taken. */
  refuse(): Promise<void>;
}

const aMail: Mail = {
  id: id('0190-mail'),
  to: 'ada@example.com',
  subject: 'Welcome',
  text: 'One line.\n.\nhttp://127.0.0.1:3000/confirm#code=abc\n',
};

/** The specification of `Mailer`. */
export const mailerContract = (name: string, open: () => Promise<MailerFixture>): void => {
  describe(`mailer contract: ${name}`, () => {
    it('ML-01 delivers the mail with its id, subject and recipient', async () => {
      const { mailer, arrived } = await open();
      await mailer.send(aMail);
      const [mail, ...others] = await arrived();
      expect(others).toEqual([]);
      expect(mail?.to).toBe(aMail.to);
      for (const part of [aMail.id, aMail.subject, 'One line.'])
        expect(mail?.message).toContain(part);
    });

    it('ML-02 throws if the mail was not accepted', async () => {
      const { mailer, arrived, refuse } = await open();
      await refuse();
      await expect(mailer.send(aMail)).rejects.toThrow();
      expect(await arrived()).toEqual([]);
    });
  });
};

/** The specification of `Log`. */
export const logContract = (name: string, open: () => Log): void => {
  describe(`log contract: ${name}`, () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;

    it.each([
      ['nothing', {}],
      ['an error with a cause', { error: new Error('outer', { cause: new Error('inner') }) }],
      ['a circle', { circle }],
      ['what JSON cannot say', { big: 1n, none: undefined, symbol: Symbol('x'), run: () => 1 }],
      [
        'a getter that throws',
        {
          trap: Object.defineProperty({}, 'x', {
            enumerable: true,
            get: () => {
              throw new Error('no');
            },
          }),
        },
      ],
    ])('LG-01 never throws, whatever it is told: %s', (_, fields) => {
      const log = open();
      expect(() => log.info(fields, 'x')).not.toThrow();
      expect(() => log.warn(fields, 'x')).not.toThrow();
      expect(() => log.error(fields, 'x')).not.toThrow();
    });
  });
};
