import type { Venue, VenueAnswer } from '../http.js';

const LONGEST = 2000;

export interface DiscordStandIn {
  readonly venue: Venue;
  /** The texts of the channel, oldest first. */
  readonly texts: readonly string[];
  /** Somebody deletes the webhook. */
  remove(): void;
}

const refusal = (status: number, code: number, message: string): VenueAnswer => ({
  status,
  body: JSON.stringify({ code, message }),
  headers: { 'content-type': 'application/json' },
});

/** One incoming webhook of a channel of Discord, at `/api/webhooks/<id>/<token>`. */
export function discordStandIn(id: string, token: string): DiscordStandIn {
  const texts: string[] = [];
  let isThere = true;
  return {
    venue: async ({ method, path, body }) => {
      const [, ofId, ofToken] = /^\/api\/webhooks\/(\d+)\/([\w-]+)$/.exec(path) ?? [];
      if (method !== 'POST' || ofId !== id || !isThere)
        return refusal(404, 10_015, 'Unknown Webhook');
      if (ofToken !== token) return refusal(401, 50_027, 'Invalid Webhook Token');
      const { content = '' } = JSON.parse(body) as { readonly content?: string };
      if (content === '') return refusal(400, 50_006, 'Cannot send an empty message');
      if (content.length > LONGEST) return refusal(400, 50_035, 'Invalid Form Body');
      texts.push(content);
      return { status: 204, body: '' };
    },
    texts,
    remove: () => {
      isThere = false;
    },
  };
}
