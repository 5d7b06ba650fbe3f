import { describe, expect, it } from '@jest/globals';
import { outbox } from '@slipstream/adapter-memory/testing';
import { composedServer } from '../helpers/composed-server.js';

describe('a server on a port that was found free', () => {
  it.each([
    [{}, undefined],
    [{ PUBLIC_URL: 'https://slip.example' }, 'https://slip.example'],
  ])('writes its address into mails and links: %j', async (environment, expected) => {
    const mailer = outbox();
    const server = await composedServer({ environment, adapters: { mailer } });
    try {
      const address = expected ?? server.url;
      expect(address).not.toMatch(/:0$/);
      await server.ask('newUser', { email: 'ada@example.com', password: 'a long password' });
      await server.application.background.sendMails();
      expect(mailer.sent[0]?.text).toContain(`\n${address}/confirm#code=`);
      const [stock] = await server.ask('getStocks', { stock_id: ['AAPL:NASDAQ'] });
      expect(stock?.links['slipstream']).toMatch(`${address}/getStocks?`);
    } finally {
      await server.close();
    }
  });
});
