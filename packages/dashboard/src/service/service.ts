import { computed } from '@preact/signals';
import { type Client, RequestFailed } from '@slipstream/client';
import { clientWith, expire, session } from '../session/session.js';

/** The client of whoever is signed in; of a stranger otherwise. */
const client = computed<Client>(() => clientWith(session.value?.token));

/** Calls the service; a token that it no longer takes is renewed, or ends the session. */
export async function call<Answer>(ask: (client: Client) => Promise<Answer>): Promise<Answer> {
  const of = session.peek();
  try {
    return await ask(client.peek());
  } catch (error) {
    const isRefused = of !== null && error instanceof RequestFailed && error.status === 401;
    if (isRefused && (await expire(of))) return ask(client.peek());
    throw error;
  }
}
