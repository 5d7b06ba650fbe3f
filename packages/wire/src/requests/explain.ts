import type { z } from 'zod';
import { Refusal } from '@slipstream/domain';

type Issue = z.core.$ZodIssue;

/** The request as read by the operation's schema, or a refusal with the first thing to correct. */
export function readRequest<Schema extends z.ZodType>(
  schema: Schema,
  given: unknown,
): z.output<Schema> {
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  throw new Refusal('invalid_field', explain(result.error.issues, given));
}

/** A sentence that a caller can act on. A misspelt name comes first, because it explains the missing one. */
export function explain(issues: readonly Issue[], given: unknown): string {
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
  if (!issue) return 'the request is invalid';
  const where = fieldPath(issue.path);
  if (issue.code === 'unrecognized_keys') {
    const name = shortened(issue.keys[0] ?? '');
    return `unknown field ${JSON.stringify(name)}${where && ` in ${where}`}`;
  }
  if (issue.code !== 'custom' && valueAt(given, issue.path) === undefined) {
    return `${where || 'the body'} is required`;
  }
  if (issue.code === 'invalid_type' && issue.expected === 'object') {
    return `${where || 'the body'} must be a JSON object`;
  }
  return where ? `${where} ${issue.message}` : issue.message;
}

const shortened = (name: string): string => (name.length > 50 ? `${name.slice(0, 50)}…` : name);

/** `allocations[3].percent` */
const fieldPath = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (before, step) =>
      typeof step === 'number'
        ? `${before}[${step}]`
        : before
          ? `${before}.${shortened(String(step))}`
          : shortened(String(step)),
    '',
  );

const valueAt = (given: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, step) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, step)
        ? (value as Readonly<Record<PropertyKey, unknown>>)[step]
        : undefined,
    given,
  );
