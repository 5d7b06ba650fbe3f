import {
  type Anchor,
  type AnchorLeaf,
  type AnchorProof,
  type ChainHead,
  type TimeStamp,
} from '@slipstream/domain';
import { z } from 'zod';
import { AT, ids } from '../example-ids.js';
import { recordedTimeText, timestampOut } from '../fields/output.js';
import { operation } from '../operations/operation.js';

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const day = z.string().regex(/^\d{4}-\d\d-\d\d$/);

const stampResource = z
  .object({
    token: z
      .string()
      .meta({ contentEncoding: 'base64', description: 'The token of RFC 3161 in DER.' }),
    nonce: z
      .string()
      .regex(/^[0-9a-f]+$/)
      .meta({ description: 'The number of the request, that the token repeats.' }),
    at: timestampOut.meta({ description: 'The time in the token.' }),
  })
  .meta({ id: 'AnchorStamp' });

const headResource = z.object({ seq: z.int(), hash }).meta({ id: 'ChainHead' });

const anchorFields = {
  day: day.meta({ description: 'The day (UTC).' }),
  made_at: timestampOut,
  size: z.int().meta({ description: 'The number of leaves, one for each chain.' }),
  root: hash.meta({ description: 'Of the Merkle tree over the leaves (RFC 9162).' }),
  stamp: stampResource.nullable().meta({
    description: 'Null without a time-stamp authority, and until it answers.',
  }),
};

/** An anchor, and where a record's head of that day is in it. */
const anchoredHeadResource = z
  .object({
    ...anchorFields,
    leaf: headResource.meta({ description: 'The head of the record in this anchor.' }),
    index: z.int().meta({ description: 'The place of the leaf, from 0.' }),
    path: z.array(hash).meta({ description: 'The hashes from the leaf to the root, from below.' }),
  })
  .meta({ id: 'AnchoredHead' });

/** What proves the entries of a page. */
export const recordProofResource = z
  .object({
    head: headResource.nullable().meta({ description: 'The last entry of the whole record.' }),
    anchors: z.array(anchoredHeadResource).meta({
      description:
        'For each entry of the page the anchor of its day and the first one that has it, each anchor once.',
    }),
  })
  .meta({ id: 'RecordProof' });

const anchorLeafResource = z
  .object({
    chain: z.string().meta({ description: 'audit, or track: and a strategy_id.' }),
    seq: z.int(),
    hash,
  })
  .meta({ id: 'AnchorLeaf' });

/** An anchor with all its leaves, as it is kept outside the database. */
const anchorResource = z
  .object({ ...anchorFields, leaves: z.array(anchorLeafResource) })
  .meta({ id: 'Anchor' });

const presentStamp = ({ token, nonce, at }: TimeStamp): z.infer<typeof stampResource> => ({
  ...{ token, nonce },
  at: recordedTimeText(at),
});

type Shown = Omit<Anchor, 'branches'>;

const presentShown = ({ day: of, madeAt, size, root, stamp }: Shown) => ({
  ...{ day: of, made_at: recordedTimeText(madeAt), size, root },
  stamp: stamp && presentStamp(stamp),
});

interface Proven {
  readonly head: ChainHead | undefined;
  readonly anchors: readonly { readonly anchor: Shown; readonly proof: AnchorProof }[];
}

/** The head and the paths. */
export const presentRecordProof = ({
  head,
  anchors,
}: Proven): z.infer<typeof recordProofResource> => ({
  head: head ? { seq: head.seq, hash: head.hash } : null,
  anchors: anchors.map(({ anchor, proof: { leaf, index, path } }) => ({
    ...presentShown(anchor),
    leaf: { seq: leaf.seq, hash: leaf.hash },
    index,
    path: [...path],
  })),
});

const presentAnchor = (view: {
  readonly anchor: Shown;
  readonly leaves: readonly AnchorLeaf[];
}): z.infer<typeof anchorResource> => ({
  ...presentShown(view.anchor),
  leaves: view.leaves.map(({ chain, seq, hash: head }) => ({ chain, seq, hash: head })),
});

/** The head and the root of the example: its tree has this leaf alone. */
export const EXAMPLE_HEAD = 'c5d1b9d3a9a0b0f6c9a3e3c2f5ef0c1d1d3c5d3c1c2f3d1a9b8e7f6a5b4c3d2e';
const anchorOfExample = {
  day: AT.slice(0, 10),
  made_at: '2026-01-31T00:10:00.000Z',
  size: 1,
  root: '88ab995555648dd4019c53858fb21c86c635976e744806f3408f7e37f18b6a58',
  stamp: null,
};

export const aRecordProof: z.infer<typeof recordProofResource> = {
  head: { seq: 1, hash: EXAMPLE_HEAD },
  anchors: [{ ...anchorOfExample, leaf: { seq: 1, hash: EXAMPLE_HEAD }, index: 0, path: [] }],
};

export const anchors = {
  newAnchor: operation({
    name: 'newAnchor',
    group: 'Strategies',
    method: 'POST',
    auth: 'operator',
    takesIdempotencyKey: false,
    summary: 'The anchor of a day with its leaves; without a day it makes what is missing now.',
    description:
      'The server makes the anchor of each day when the day is over. Without a day, the anchors of days that are over, and that of today, are made at once, and stamps that are missing are asked for; a day never gets a second anchor. Keep the answer outside the database: an anchor proves only what was kept elsewhere or stamped.',
    request: z.strictObject({
      day: z
        .string()
        .regex(/^\d{4}-\d\d-\d\d$/, { error: 'must be a day like 2026-01-31' })
        .optional()
        .meta({
          description: 'A day (UTC) that is over; without it, what is missing is made now.',
        }),
    }),
    response: anchorResource,
    present: presentAnchor,
    example: {
      request: {},
      response: {
        ...anchorOfExample,
        leaves: [{ chain: `track:${ids.strategy}`, seq: 1, hash: EXAMPLE_HEAD }],
      },
    },
  }),
};
