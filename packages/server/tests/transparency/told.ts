import { type OperationName, operations } from '@slipstream/wire';
import { type Asker, NOT_ASKED, type Request, requestsOf } from '../transcripts/requests.js';
import { aReader, shownAnswer } from '../transcripts/transcripts.js';
import type { Play } from './play.js';

export const READERS = ['owner', 'follower', 'payer', 'stranger', 'nobody', 'operator'] as const;
const READS = (Object.keys(operations) as OperationName[]).filter(
  (name) => operations[name].method === 'GET' && !(name in NOT_ASKED),
);

/** A reader who knows of everything, and asks for all of it. */
const askerOf = ({ known }: Play): Asker => ({
  writes: false,
  probes: false,
  known: (kind) => known.filter((one) => one.kind === kind),
  unseen: () => [],
  mayChange: () => false,
});

/** What is told of this machine, and by hashes of ids and secrets that differ. */
const PRIVATE = /"disk_free":\w+|\["content-length","\d+"\]|"seq":\d+|\b[0-9a-f]{64}\b/g;
const comparable = (text: string): string => text.replaceAll(PRIVATE, '');
/** The operator's answers that say how much disk there is, and the leaf of the audit log. */
const UNLIKE = /getOverview|newAnchor/;

/** Orders of one moment stand in a report by their hashes. */
const inOrder = (asked: string, text: string): string =>
  asked.startsWith('getReport')
    ? text
        .split(/<\/?tr>/)
        .toSorted()
        .join('\n')
    : text;

/** What these readers are told now by every read. */
export async function toldNow(
  play: Play,
  when: string,
  readers: readonly string[] = READERS,
  isOpen = false,
): Promise<Map<string, string>> {
  const all = new Map<string, string>();
  const asker = askerOf(play);
  for (const reader of readers) {
    const { told, ask, listen, open } = aReader(play, reader, asker);
    for (const name of READS) {
      const requests: readonly Request[] = requestsOf(name, asker);
      await ask(requests);
    }
    // The operator has no user, and so no streams.
    if (isOpen && reader !== 'operator') await listen();
    if (isOpen) open();
    for (const [asked, text] of told) {
      const shown = inOrder(asked, text);
      all.set(`${when}, ${reader}: ${asked}`, UNLIKE.test(asked) ? comparable(shown) : shown);
    }
  }
  return all;
}

/** What each command was answered. */
export function answersTold(play: Play): Map<string, string> {
  const shown = shownAnswer(play);
  return new Map(
    [...play.answers].map(([asked, answer]) => {
      const text = shown(asked.split(' ')[1] as OperationName, answer);
      return [`command ${asked}`, UNLIKE.test(asked) ? comparable(text) : text];
    }),
  );
}
