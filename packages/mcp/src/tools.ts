import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import { type Operation, type OperationName, isPlannable, operations } from '@slipstream/wire';
import { type JsonSchema, jsonSchemaOf } from './json-schema.js';

/** What a tool does with its operation. */
export type Use = 'read' | 'prepare' | 'commit';

/** A tool with the operation behind it. */
export interface OfferedTool {
  readonly tool: Tool;
  readonly use: Use;
  readonly operation: OperationName;
}

/** Fields that hold secrets: no tool has them, because a model would see them. */
const SECRETS: readonly string[] = ['password', 'totp', 'credentials', 'token', 'code', 'state'];
/** The form of the answer, which is always JSON here. */
const OF_THE_EDGE: readonly string[] = ['format'];
/** Groups that let money or messages leave, which a person does by hand. */
const BY_HAND: readonly string[] = ['Authentication', 'Payments', 'Withdrawals', 'Endpoints'];
/** Their answers hold a secret: the state of a connection to a broker. */
const WITH_SECRET_ANSWERS: readonly string[] = ['newConnection'];

const isRead = ({ method, name, auth, file }: Operation): boolean =>
  (method === 'GET' || name === 'previewOrderAllocations') &&
  auth !== 'operator' &&
  auth !== 'body' &&
  file === undefined;

const isWrite = (row: Operation): boolean =>
  isPlannable(row) && !BY_HAND.includes(row.group) && !WITH_SECRET_ANSWERS.includes(row.name);

/** The request of the row without secrets; undefined if it cannot be made without one. */
function inputOf({ request }: Operation): Tool['inputSchema'] | undefined {
  const { properties = {}, required = [], ...rest } = jsonSchemaOf(request);
  const without = Object.entries(properties).filter(
    ([name]) => !SECRETS.includes(name) && !OF_THE_EDGE.includes(name),
  );
  if (rest.type !== 'object' || required.some((name) => SECRETS.includes(name))) return undefined;
  return {
    ...(rest as Omit<JsonSchema, 'type' | 'properties' | 'required'>),
    type: 'object',
    properties: Object.fromEntries(without),
    required: [...required],
    additionalProperties: false,
  };
}

const describe = (row: Operation, first = ''): string =>
  [first, row.summary, row.description].filter(Boolean).join(' ');

function readTool(row: Operation): Tool | undefined {
  const inputSchema = inputOf(row);
  return (
    inputSchema && {
      name: row.name,
      description: describe(row),
      inputSchema,
      annotations: {
        title: row.name,
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: row.group === 'Bots',
      },
    }
  );
}

function prepareTool(row: Operation): Tool | undefined {
  const inputSchema = inputOf(row);
  return (
    inputSchema && {
      name: `prepare_${row.name}`,
      description: describe(
        row,
        'Prepares, and does nothing yet: the answer has a plan_id for commitPlan and shows what would happen. Of the operation:',
      ),
      inputSchema,
      annotations: {
        title: `Prepare ${row.name}`,
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: false,
        openWorldHint: row.group === 'Bots',
      },
    }
  );
}

/** What the person reads who is asked whether the call may be made. */
const DOES = {
  type: 'string',
  description:
    'What the plan does: the text under "does" in the answer of the prepare_ tool, unchanged. Another text is refused.',
};

function commitTool(): Tool {
  const row: Operation = operations.commitPlan;
  const { properties = {}, required = [] } = jsonSchemaOf(row.request);
  return {
    name: row.name,
    description: describe(row, 'The only tool that changes anything.'),
    inputSchema: {
      type: 'object',
      properties: { ...properties, does: DOES },
      required: [...required, 'does'],
      additionalProperties: false,
    },
    annotations: {
      title: 'Commit a prepared plan',
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: true,
      openWorldHint: true,
    },
  };
}

/** Every tool by its name: what reads, and with `allowWrites` what prepares, and the one that commits. */
export function offeredTools(allowWrites: boolean): ReadonlyMap<string, OfferedTool> {
  const rows: readonly Operation[] = Object.values(operations);
  const made = rows.flatMap((row): OfferedTool[] => {
    const operation = row.name as OperationName;
    if (isRead(row)) {
      const tool = readTool(row);
      return tool ? [{ tool, use: 'read', operation }] : [];
    }
    const tool = allowWrites && isWrite(row) ? prepareTool(row) : undefined;
    return tool ? [{ tool, use: 'prepare', operation }] : [];
  });
  const commit: OfferedTool = { tool: commitTool(), use: 'commit', operation: 'commitPlan' };
  return new Map([...made, ...(allowWrites ? [commit] : [])].map((one) => [one.tool.name, one]));
}
