import type { AlertDelivery, Caller, Operations } from '@slipstream/application';
import type { CommandOf, OperationName, ViewOf } from '@slipstream/wire';

/** The application as the rows of the table need it. */
type Callable = {
  readonly [Name in OperationName]: (
    caller: Caller,
    command: CommandOf<Name>,
    /** How an alert arrived; undefined for everything else. */
    delivery?: AlertDelivery,
  ) => Promise<ViewOf<Name>>;
};

/** The fields of a command, or of each of its alternatives; none without a command. */
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
 * Does not compile if the application lacks an operation of the table, has other types than its row, or does not know a
 * field of its command.
 */
const callable = (application: Operations & Dropped): Callable => application;

type AnyOperation = (
  caller: Caller,
  command: unknown,
  delivery?: AlertDelivery,
) => Promise<unknown>;

/** Calls the operation of that name with a command of its row. */
export const callOperation = (
  application: Operations,
  name: OperationName,
  ...given: Parameters<AnyOperation>
): Promise<unknown> => {
  const operations = callable(application) as Readonly<Record<OperationName, AnyOperation>>;
  return operations[name](...given);
};
