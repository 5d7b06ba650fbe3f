import type { Client } from '@slipstream/client';
import { useState } from 'preact/hooks';
import { useAction } from '../../service/action.js';
import { forget } from '../../session/session.js';
import { save } from '../common/download.js';
import { type Proof, useProof } from '../common/credentials.js';
import { Failure, Form } from '../common/form.js';
import { Note, Panel } from '../common/panel.js';

/** Every piece of the export, one after another. */
async function wholeExport(client: Client): Promise<string> {
  const pieces: unknown[] = [];
  let cursor: string | undefined;
  do {
    const piece = await client.getUserExport(cursor === undefined ? {} : { cursor });
    pieces.push(piece);
    cursor = piece.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return JSON.stringify(pieces, null, 2);
}

/** All data of the account as a file, and its end. */
export function DangerPanel() {
  const [isOpen, setOpen] = useState(false);
  const proof = useProof();
  const take = useAction(
    (client) => wholeExport(client),
    (text: string) => save('slipstream-export.json', text, 'application/json'),
  );
  const end = useAction(
    (client, fields: Proof, options) => client.deleteUser(fields, options),
    () => forget('Your account is deleted.'),
  );
  return (
    <Panel title="Your data">
      <div class="row">
        <button type="button" aria-disabled={take.isBusy} onClick={() => void take.run(undefined)}>
          Download everything
        </button>
        <button type="button" class="danger" onClick={() => setOpen(!isOpen)}>
          Delete the account
        </button>
      </div>
      <Failure of={take} />
      {isOpen && (
        <Note tone="caution">
          <Form label="Delete the account" onSubmit={() => void end.run(proof.proof)}>
            <p>
              Your strategies end and their followers get the unused days of paid months back from
              your earnings. What you follow ends at once, and nothing of a month that you paid
              comes back. Your bots, your tokens and your profile go; positions stay in your
              brokerage accounts. Stop your bots and withdraw your balance first: it is refused
              until then. Download your data too: nothing brings the account back.
            </p>
            <div class="fields">{proof.fields}</div>
            <div class="row">
              <button class="danger" aria-disabled={end.isBusy}>
                Delete it for ever
              </button>
            </div>
            <Failure of={end} />
          </Form>
        </Note>
      )}
    </Panel>
  );
}
