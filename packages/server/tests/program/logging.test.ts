import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { logContract } from '@slipstream/port-contracts';
import { logDestination, jsonLogger, logFrom } from '../../src/index.js';

logContract('lines of JSON', () => logFrom(jsonLogger('info', { write: () => undefined })));

describe('the log', () => {
  it('on a full disk loses its lines, and nothing else', async () => {
    const fd = openSync('/dev/full', 'w');
    const destination = logDestination(fd);
    const log = logFrom(jsonLogger('info', destination));
    for (let line = 1; line <= 3; line++) {
      const failed = once(destination, 'error').catch((error: unknown) => [error]);
      log.info({ line }, 'said');
      expect(await failed).toMatchObject([{ code: 'ENOSPC' }]);
    }
    closeSync(fd);
  });

  it('that nobody reads holds 8 MiB at most', () => {
    const fd = openSync('/dev/null', 'w');
    const destination = logDestination(fd);
    let dropped = 0;
    destination.on('drop', () => (dropped += 1));
    // Nothing is written before this turn of the event loop ends.
    const log = logFrom(jsonLogger('info', destination));
    for (let line = 1; line <= 200; line++) log.info({ long: 'x'.repeat(100_000) }, 'said');
    expect(dropped).toBeGreaterThan(100);
    destination.destroy();
  });

  it('removes secrets wherever a mistake puts them, and survives circular values', () => {
    const lines: string[] = [];
    const log = logFrom(jsonLogger('info', { write: (line) => void lines.push(line) }));
    const circle: Record<string, unknown> = { token: 'canary-1' };
    circle['again'] = circle;
    const error = Object.assign(new Error('refused'), { body: { password: 'canary-2' } });
    const fields = {
      token: 'canary-3',
      list: [{ api_token: 'canary-4' }],
      circle,
      error,
      kept: 'yes',
    };
    log.info(fields, 'said');
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toContain('canary');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      token: '[secret]',
      list: [{ api_token: '[secret]' }],
      error: { message: 'refused', body: { password: '[secret]' } },
      kept: 'yes',
    });
    expect(fields.token).toBe('canary-3');
  });
});
