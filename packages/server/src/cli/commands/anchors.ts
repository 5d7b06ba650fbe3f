import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Refusal } from '@slipstream/domain';
import type { ResponseOf } from '@slipstream/wire';
import type { Command } from 'commander';
import type { Columns } from '../output.js';
import { type Environment, OPERATOR, needing, remote } from '../remote.js';
import { writing } from '../../settings/writing.js';

type Anchor = ResponseOf<'newAnchor'>;

const anchorColumns: Columns<Anchor> = {
  DAY: ({ day }) => day,
  ROOT: ({ root }) => root,
  CHAINS: ({ size }) => String(size),
  MADE: ({ made_at }) => made_at,
  STAMPED: ({ stamp }) => stamp?.at ?? 'untimestamped',
};

interface Given {
  readonly day?: string;
  readonly out?: string;
}

/** `anchor`: with OPERATOR_TOKEN as the token; the anchors of the days that are over, and of today. */
export function anchors(program: Command, environment: Environment): void {
  const anchor = program
    .command('anchor')
    .description('anchor all records now, or show the anchor of a day; needs OPERATOR_TOKEN')
    .option('--day <day>', 'a day (UTC) like 2026-01-31 that has an anchor')
    .option('--out <file>', 'write the anchor with its leaves, to be kept outside the database');
  remote(anchor, environment, async ({ client, showOne }, { day, out }: Given) => {
    if (out !== undefined && !existsSync(dirname(out)))
      throw new Refusal('not_found', `there is no folder ${dirname(out)}`);
    const made = await needing(OPERATOR, client.newAnchor({ day }));
    if (out !== undefined) await writing(out, writeFile(out, `${JSON.stringify(made, null, 2)}\n`));
    showOne(made, anchorColumns);
  });
}
