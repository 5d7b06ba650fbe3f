import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { CONNECT_SCRIPT } from '../src/pages/connect-page.js';

/** Runs the page's script at that address, and records its steps. */
function opened(search: string) {
  const steps: string[] = [];
  const told: unknown[] = [];
  class BroadcastChannel {
    postMessage(message: unknown): void {
      told.push(message);
    }
  }
  const location = { search, pathname: '/connect' };
  const elements = new Map<string, { hidden: boolean; textContent: string }>();
  const getElementById = (name: string) => {
    const found = elements.get(name) ?? { hidden: true, textContent: '' };
    elements.set(name, found);
    steps.push(name);
    return found;
  };
  const history = {
    replaceState: (_state: null, _title: string, path: string) => {
      location.search = '';
      steps.push(`address is ${path}`);
    },
  };
  runInNewContext(CONNECT_SCRIPT, {
    location,
    history,
    URLSearchParams,
    BroadcastChannel,
    document: { getElementById },
  });
  return { steps, told, location, shown: (name: string) => elements.get(name) };
}

describe('the page that brokers send browsers back to', () => {
  it('takes code and state out of the address before it shows them', () => {
    const { steps, told, location, shown } = opened('?code=%3Cb%3Ecode&state=slipc_1');
    expect(steps[0]).toBe('address is /connect');
    expect(location.search).toBe('');
    expect(shown('code')?.textContent).toBe('<b>code');
    expect(shown('state')?.textContent).toBe('slipc_1');
    expect([shown('given')?.hidden, shown('denied')?.hidden]).toEqual([false, undefined]);
    expect(told).toEqual([{ code: '<b>code', state: 'slipc_1' }]);
  });

  it.each(['', '?error=access_denied&state=slipc_1', '?code=x'])(
    'says that no access was given: %s',
    (search) => {
      const { steps, told, shown } = opened(search);
      expect(steps[0]).toBe('address is /connect');
      expect([shown('given')?.hidden, shown('denied')?.hidden]).toEqual([undefined, false]);
      expect(told).toEqual([]);
    },
  );
});
