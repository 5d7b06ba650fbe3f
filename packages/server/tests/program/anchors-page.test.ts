import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { fixedClock } from '@slipstream/adapter-memory/testing';
import { timestampAuthority } from '@slipstream/stand-ins';
import { IN_SESSION, OPERATOR_TOKEN, composedServer } from '../helpers/composed-server.js';
import { follow } from '../helpers/followed-page.js';

it('leads from an authority to a proven record, command by command', async () => {
  const clock = fixedClock(IN_SESSION);
  const authority = await timestampAuthority({ now: clock.now });
  const other = await timestampAuthority({ now: clock.now });
  const folder = mkdtempSync(join(tmpdir(), 'slipstream-anchors-page-'));
  const listening = await authority.listen();
  try {
    writeFileSync(join(folder, 'ca.pem'), authority.ca);
    writeFileSync(join(folder, 'other-ca.pem'), other.ca);
    const { commands } = await follow({
      file: 'anchors.md',
      known: { operator_token: OPERATOR_TOKEN, authority: listening.url, folder },
      printed: [
        ['sign-in', 'token', /SLIPSTREAM_TOKEN=(\S+)/],
        ['strategies new', 'strategy_id', /^Made .*: (\S+)$/m],
      ],
      serve: (environment) => composedServer({ clock, environment }),
      wait: async () => undefined,
    });
    expect(commands).toBeGreaterThan(9);
    expect(authority.requests()).toBe(1);
  } finally {
    await listening.close();
    rmSync(folder, { recursive: true });
  }
});
