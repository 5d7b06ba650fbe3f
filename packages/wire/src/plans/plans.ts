import type { CommittedPlanView, PreparedPlanView } from '@slipstream/domain';
import { z } from 'zod';
import { AT, ids } from '../example-ids.js';
import { idOut, timeText, timestampOut } from '../fields/output.js';
import { idOf } from '../fields/text.js';
import { botPreviewResource } from '../mirroring/resources.js';
import { type Operation, type PlannedRequest, KIB, operation } from '../operations/operation.js';
import { aMarketOrder, aPlanPreview } from '../trading/examples.js';
import { planPreviewResource } from '../trading/resources.js';
import { isPlannable } from './plannable.js';

const group = 'Plans';

/** A body is kept, sealed, for an hour: the largest that an agent needs. */
const BODY_LIMIT = 16 * KIB;

/** The row whose answer the preview of an operation is. */
const PREVIEWED_BY: Readonly<Record<string, string>> = {
  newOrder: 'previewOrderAllocations',
  newOrderAllocations: 'previewOrderAllocations',
  newBot: 'previewBot',
  updateBot: 'previewBot',
  startBot: 'previewBot',
};

const preparedResource = z
  .object({
    plan_id: idOut,
    operation: z.string(),
    expires_at: timestampOut,
    preview: z.union([planPreviewResource, botPreviewResource]).nullable().meta({
      description:
        'What the operation would do now: of an order or allocations the answer of previewOrderAllocations, of a bot that of previewBot. Null for the others, which do what their body says.',
    }),
  })
  .meta({ id: 'PreparedPlan' });

const committedResource = z
  .object({
    plan_id: idOut,
    operation: z.string(),
    answer: z.unknown().meta({ description: 'The answer of the operation.' }),
  })
  .meta({ id: 'CommittedPlan' });

/** The rows of the two steps of a request, which need all other rows. */
export function planRows(all: readonly Operation[]) {
  const rows = new Map(all.map((row) => [row.name, row]));
  const names = all.filter(isPlannable).map(({ name }) => name);
  const rowOf = (name: string): Operation => {
    const row = rows.get(name);
    if (!row) throw new Error(`there is no operation ${name}`);
    return row;
  };

  const request = z
    .strictObject({
      operation: z.enum(names, { error: 'must be the name of an operation that can be planned' }),
      body: z
        .record(z.string(), z.unknown(), { error: 'must be a JSON object' })
        .meta({ description: 'The body of that operation.' }),
    })
    .transform(({ operation: name, body }, context): PlannedRequest => {
      const planned = rowOf(name);
      const read = planned.request.safeParse(body);
      if (read.success) return { operation: planned, request: read.data };
      for (const issue of read.error.issues) {
        const path = ['body', ...issue.path];
        context.addIssue({ ...issue, path });
      }
      return z.NEVER;
    });

  return {
    preparePlan: operation({
      name: 'preparePlan',
      group,
      method: 'POST',
      scope: null,
      bodyLimit: BODY_LIMIT,
      summary:
        'Keeps a request as it is for 60 seconds and shows what it would do; nothing is done.',
      description:
        'Needs the scope of the planned operation. commitPlan carries it out, for the same token. A plan of newOrder, newOrderAllocations or deleteOrder holds only while the orders and positions of the strategy stay as they are.',
      cost: (given) => 1 + plannedCost(given),
      request,
      planned: (given) => given,
      command: ({ operation: planned, request: read }) => ({
        operation: planned.name,
        command: planned.command(read),
      }),
      response: preparedResource,
      present: ({ planId, operation: name, expiresAt, preview }: PreparedPlanView) => ({
        plan_id: planId,
        operation: name,
        expires_at: timeText(expiresAt),
        preview:
          preview === null
            ? null
            : (rowOf(PREVIEWED_BY[name] ?? '').present(preview) as z.input<
                typeof planPreviewResource
              >),
      }),
      example: {
        request: {
          operation: 'newOrder',
          body: {
            strategy_id: ids.strategy,
            stock_id: 'AAPL:NASDAQ',
            action: 'buy',
            total: '0.25',
          },
        },
        response: {
          plan_id: ids.plan,
          operation: 'newOrder',
          expires_at: AT,
          preview: aPlanPreview,
        },
      },
    }),
    commitPlan: operation({
      name: 'commitPlan',
      group,
      method: 'POST',
      scope: null,
      ownKey: ({ plan_id: planId }) => planId,
      summary: 'Carries out a prepared plan, once; a repeat within 24 hours gets the first answer.',
      description:
        'Refused as plan_expired after 60 seconds, and as plan_outdated once the book has changed: prepare the request again. A refused commit does nothing.',
      request: z.strictObject({ plan_id: idOf<'plan'>() }),
      response: committedResource,
      present: ({ planId, operation: name, answer }: CommittedPlanView) => ({
        plan_id: planId,
        operation: name,
        answer: rowOf(name).present(answer),
      }),
      example: {
        request: { plan_id: ids.plan },
        response: { plan_id: ids.plan, operation: 'newOrder', answer: aMarketOrder },
      },
    }),
  };
}

const plannedCost = (given: unknown): number => {
  const { operation: planned, request } = given as Partial<PlannedRequest>;
  return planned?.cost ? planned.cost(request) : 0;
};
