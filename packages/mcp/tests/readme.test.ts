import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

interface Configured {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}
interface Configuration {
  readonly mcpServers?: Readonly<Record<string, Configured>>;
  readonly servers?: Readonly<Record<string, Configured>>;
}

const read = (file: string): string => readFileSync(join(import.meta.dirname, '..', file), 'utf8');
const blocks = [...read('README.md').matchAll(/```json\n([^]*?)```/g)].map(
  ([, block = '']) => JSON.parse(block) as Configuration,
);

describe('the configurations of the README', () => {
  it.each(blocks)('start the bin of this package, with the token in the environment', (one) => {
    const { slipstream } = one.mcpServers ?? one.servers ?? {};
    const { name, bin } = JSON.parse(read('package.json')) as { name: string; bin: object };
    expect(slipstream?.args).toEqual(['-y', `--package=${name}`, ...Object.keys(bin)]);
    expect(Object.keys(slipstream?.env ?? {})).toEqual(['SLIPSTREAM_URL', 'SLIPSTREAM_TOKEN']);
  });

  it('are of two kinds', () => {
    expect(blocks).toHaveLength(2);
  });
});
