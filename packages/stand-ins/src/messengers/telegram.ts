import type { Venue, VenueAnswer } from '../http.js';

const LONGEST = 4096;

export interface TelegramStandIn {
  readonly venue: Venue;
  /** The texts of a chat, oldest first. */
  texts(chatId: string): readonly string[];
  /** The user of the chat blocks the bot. */
  block(chatId: string): void;
  /** The next message is one too many. */
  flood(): void;
}

const answer = (status: number, body: object): VenueAnswer => ({
  status,
  body: JSON.stringify({ ok: status === 200, ...body }),
  headers: { 'content-type': 'application/json' },
});

const refusal = (status: number, description: string, more: object = {}): VenueAnswer =>
  answer(status, { error_code: status, description, ...more });

/** `sendMessage` of Telegram's Bot API, for one bot whose user has begun these chats. */
export function telegramStandIn(botToken: string, ...chatIds: string[]): TelegramStandIn {
  const chats = new Map(chatIds.map((chatId): [string, string[]] => [chatId, []]));
  const blocked = new Set<string>();
  let isFlooded = false;
  let messages = 0;
  return {
    venue: async ({ method, path, body }) => {
      const [, token, name] = /^\/bot([^/]+)\/(\w+)$/.exec(path) ?? [];
      if (token === undefined || name !== 'sendMessage' || method !== 'POST')
        return refusal(404, 'Not Found');
      if (token !== botToken) return refusal(401, 'Unauthorized');
      if (isFlooded) {
        isFlooded = false;
        return refusal(429, 'Too Many Requests: retry after 3', { parameters: { retry_after: 3 } });
      }
      const { chat_id: chatId, text } = JSON.parse(body) as { chat_id: string; text: string };
      const chat = chats.get(chatId);
      if (!chat) return refusal(400, 'Bad Request: chat not found');
      if (blocked.has(chatId)) return refusal(403, 'Forbidden: bot was blocked by the user');
      if (text === '') return refusal(400, 'Bad Request: message text is empty');
      if (text.length > LONGEST) return refusal(400, 'Bad Request: message is too long');
      chat.push(text);
      return answer(200, { result: { message_id: ++messages, chat: { id: chatId }, text } });
    },
    texts: (chatId) => chats.get(chatId) ?? [],
    block: (chatId) => void blocked.add(chatId),
    flood: () => {
      isFlooded = true;
    },
  };
}
