import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EVENT_READS, HOUR, MINUTE, afterAttempt } from '@slipstream/domain';
import { NOON, aDelivery } from '@slipstream/port-contracts/builders';
import { type ComposedServer, composedServer } from '../helpers/composed-server.js';
import { ROOT } from '../helpers/repository.js';

const page = readFileSync(join(ROOT, 'docs/endpoints.md'), 'utf8');
const found = (form: RegExp): string[] => [...page.matchAll(form)].map(([, part = '']) => part);

describe('the page on endpoints', () => {
  let server: ComposedServer;
  let ada: string;
  beforeAll(async () => {
    server = await composedServer();
    ada = await server.user('ada');
  });
  afterAll(() => server.close());

  it('has every event with the read that shows its record', () => {
    const rows = page
      .split('\n')
      .filter((line) => /^\| `\w+\.\w+`/.test(line))
      .flatMap((line) => {
        const [, names = '', , read = ''] = line.split('|');
        const [, operation] = /`(get\w+)`/.exec(read) ?? [];
        return [...names.matchAll(/`([\w.]+)`/g)].map(([, name]) => [name, operation]);
      });
    expect(Object.fromEntries(rows)).toEqual(EVENT_READS);
  });

  it('shows bodies of newEndpoint that the server takes as they are', async () => {
    const filledIn = {
      url: '1/token',
      bot_token: '123456:ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghi',
      chat_id: '-100',
    };
    const bodies = found(/(\{"kind": [^}]*\})/g).map((text) =>
      Object.fromEntries(
        Object.entries(JSON.parse(text) as Record<string, unknown>).map(([name, value]) => [
          name,
          typeof value === 'string'
            ? value.replace('…', filledIn[name as keyof typeof filledIn])
            : value,
        ]),
      ),
    );
    expect(bodies.map(({ kind }) => kind)).toEqual(['webhook', 'telegram', 'discord']);
    for (const body of bodies) {
      const made = await server.attempt('newEndpoint', body, ada);
      expect([made.status, made.text]).toEqual([200, expect.stringContaining('"active"')]);
    }
  });

  it('says when what failed is tried again', () => {
    const unit = { s: 1_000, min: MINUTE, h: HOUR } as const;
    const [line = ''] = found(/is tried again: after ([^]*?),\n/g);
    const said = [...line.matchAll(/(\d+) (s|min|h)/g)].map(
      ([, count, name]) => Number(count) * unit[name as keyof typeof unit],
    );
    const waits: number[] = [];
    let delivery = aDelivery({ nextAt: NOON });
    while (delivery.nextAt !== null) {
      const failedAt = delivery.nextAt;
      delivery = afterAttempt(delivery, { kind: 'failed', status: 503, reason: '' }, failedAt);
      if (delivery.nextAt !== null) waits.push(delivery.nextAt - failedAt);
    }
    expect(said).toEqual(waits);
  });
});
