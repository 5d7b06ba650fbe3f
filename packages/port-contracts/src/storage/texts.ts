import { type Strategy, id } from '@slipstream/domain';
import type { ReadStores, Stores } from '@slipstream/ports';
import { aPost, aStrategy, aUser, anAlertRecord } from '../builders/index.js';
import { describe, expect, it } from '../testing.js';
import { type OpenStorage, emptyBeforeEach } from './storage.js';

/** Texts that a storage changes if its columns are short, trimmed, folded, or of another alphabet. */
const TEXTS = [
  ['of many characters', 'a text that goes on, '.repeat(5_000)],
  ['with blanks at both ends', '  \tindented, and a line at its end\n'],
  ['with lines of every kind', 'one\r\ntwo\rthree\n\nfour\u2028five'],
  ['of many alphabets', 'Zoë, Дмитрий, 山田, 🚀👩‍👩‍👧, עברית'],
  ['with one letter written in two ways', 'e\u0301 is not \u00e9'],
  ['with marks of a query', `it's "quoted" \\ %_ ; -- $1 \${x} \u0001`],
  ['that looks like another value', '0012.50'],
  ['of the word for nothing', 'null'],
] as const;

interface Place {
  /** The service stores no longer ones there: a column may be as short, and an index as narrow. */
  readonly longest: number;
  readonly save: (stores: Stores, text: string) => Promise<unknown>;
  readonly find: (stores: ReadStores) => Promise<unknown>;
}

const strategyWith = (fields: Partial<Strategy>) => aStrategy({ id: id('strategy-1'), ...fields });

/** Where users' texts and sealed ones are kept. */
const PLACES: Readonly<Record<string, Place>> = {
  'the name of a user': {
    longest: 50,
    save: ({ users }, name) => users.save(aUser({ name })),
    find: async ({ users }) => (await users.find(aUser().id))?.name,
  },
  'the description of a strategy': {
    longest: 5_000,
    save: ({ strategies }, description) => strategies.save(strategyWith({ description })),
    find: async ({ strategies }) => (await strategies.find(id('strategy-1')))?.description,
  },
  'a category of a strategy': {
    longest: 50,
    save: ({ strategies }, text) => strategies.save(strategyWith({ categories: [text, 'b'] })),
    find: async ({ strategies }) => (await strategies.find(id('strategy-1')))?.categories[0],
  },
  'a post': {
    longest: 2_000,
    save: ({ posts }, text) => posts.save(aPost({ id: id('a'), text })),
    find: async ({ posts }) => (await posts.find(id('a')))?.text,
  },
  'the body of an alert': {
    longest: 64 * 1024,
    save: ({ alerts }, body) => alerts.add(anAlertRecord({ body })),
    find: async ({ alerts }) => (await alerts.find(anAlertRecord().id))?.body,
  },
  'the access to a broker': {
    longest: 64 * 1024,
    save: ({ brokerAccounts }, text) => brokerAccounts.save('account-1', text),
    find: ({ brokerAccounts }) => brokerAccounts.find('account-1'),
  },
  'the proof of the master key': {
    longest: 500,
    save: ({ keyProof }, text) => keyProof.save(text),
    find: ({ keyProof }) => keyProof.find(),
  },
};

/** Texts come back as they went in, wherever they are. */
export const textsContract = (open: OpenStorage): void => {
  describe('texts', () => {
    const unitOfWork = emptyBeforeEach(open);

    it.each(TEXTS)('give back one %s, wherever it is kept', async (_, text) => {
      for (const [place, { longest, save, find }] of Object.entries(PLACES)) {
        const kept = text.slice(0, longest);
        await unitOfWork.run((stores) => save(stores, kept));
        expect([place, await unitOfWork.read(find)]).toEqual([place, kept]);
      }
    });
  });
};
