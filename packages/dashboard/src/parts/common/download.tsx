import type { Client } from '@slipstream/client';
import { useAction } from '../../service/action.js';
import { type Page, wholeTable } from '../../figures/whole-table.js';
import { Failure } from './form.js';

/** Saves a text of the service as a file of the reader. */
export function save(name: string, text: string, type = 'text/csv'): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** A button that saves a table of the service; a list is asked for page by page. */
export function Download(props: {
  readonly label: string;
  readonly name: string;
  /** The column of the records' own ids, if it is a list. */
  readonly id?: string;
  readonly ask: (client: Client, page: Page) => Promise<string>;
}) {
  const action = useAction(
    (client) => wholeTable((page) => props.ask(client, page), props.id),
    (text: string) => save(props.name, text),
  );
  return (
    <>
      <button
        type="button"
        aria-disabled={action.isBusy}
        onClick={() => void action.run(undefined)}
      >
        {props.label}
      </button>
      <Failure of={action} />
    </>
  );
}
