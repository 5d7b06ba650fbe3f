import type { Client } from './client.js';

/** Connections for reads. */
export interface Pool {
  /** One for the caller alone; waits while as many are used as there may be. */
  acquire(): Promise<Client>;
  release(client: Client): void;
  /** Ends those that nobody uses; all of them once they are released. */
  close(): Promise<void>;
}

/** A pool that opens at most that many connections. */
export function poolOf(connect: () => Promise<Client>, most: number): Pool {
  const idle: Client[] = [];
  const waiting: (() => void)[] = [];
  let opened = 0;
  let isClosed = false;

  const acquire = async (): Promise<Client> => {
    for (;;) {
      const client = idle.pop();
      if (client?.isUsable) return client;
      if (client) opened -= 1;
      else if (opened < most) break;
      else await new Promise<void>((resolve) => void waiting.push(resolve));
    }
    opened += 1;
    try {
      return await connect();
    } catch (error) {
      opened -= 1;
      waiting.shift()?.();
      throw error;
    }
  };

  return {
    acquire,
    release(client) {
      if (client.isUsable && !isClosed) idle.push(client);
      else {
        opened -= 1;
        void client.end();
      }
      waiting.shift()?.();
    },
    async close() {
      isClosed = true;
      await Promise.all(idle.splice(0).map((client) => client.end()));
    },
  };
}
