import type { AlertDelivery, Caller, Operations } from '@slipstream/application';
import type { CommandOf, OperationName, ViewOf } from '@slipstream/wire';

/** What the rows of the table ask of an application. */
type Callable = {
  readonly [Name in OperationName]: (
    caller: Caller,
    command: CommandOf<Name>,
    /** How an alert came; undefined for everything else. */
    delivery?: AlertDelivery,
  ) => Promise<ViewOf<Name>>;
};

/** The fields of a command, or of each that it can be; of one that has none, none. */
type FieldsOf<Command> = Command extends unknown
  ? string extends keyof Command
    ? never
    : keyof Command
  : never;

/** The fields of a row's command that the application does not know. */
type UnknownFields<Name extends OperationName> = Name extends keyof Operations
  ? Exclude<FieldsOf<CommandOf<Name>>, FieldsOf<Parameters<Operations[Name]>[1]>>
  : never;

/** Nothing, unless a row has such fields. */
type Dropped = {
  readonly [
    Name in OperationName as UnknownFields<Name> extends never ? never : Name
  ]: UnknownFields<Name>;
};

/**
 * Does not compile when the application lacks an operation of the table, takes or answers something else than its row, or
 * does not know a field of it.
 */
const callable = (application: Operations & Dropped): Callable => application;

type AnyOperation = (
  caller: Caller,
  command: unknown,
  delivery?: AlertDelivery,
) => Promise<unknown>;

/** Calls the operation of that name by a command that its row made. */
export const callOperation = (
  application: Operations,
  name: OperationName,
  ...given: Parameters<AnyOperation>
): Promise<unknown> => {
  const operations = callable(application) as Readonly<Record<OperationName, AnyOperation>>;
  return operations[name](...given);
};
