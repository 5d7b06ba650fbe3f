import type { Timestamp } from '@slipstream/domain';
import { type OperationName, countsEvents, operations, parseChannel } from '@slipstream/wire';
import { type Answer } from '../helpers/call.js';
import { queryOf } from '../helpers/composed-server.js';
import type { Frame } from '../helpers/stream-client.js';
import type { Fields } from '../operations/table/scene.js';
import { CHANNEL_KINDS } from './channels.js';
import type { PlayedWorld } from './played-world.js';
import type { Asker, Request } from './requests.js';

/** What a reader was told, under names that are the same in every world, by what was asked. */
export type Transcript = ReadonlyMap<string, string>;

const HASH = /\b[0-9a-f]{64}\b/g;
/** What is public by its page although it comes of what is hidden. */
export const PUBLIC: Readonly<Partial<Record<OperationName, readonly [RegExp, string]>>> = {
  getTrackRecord: [HASH, 'strangers get hashes, heads and anchors (contract 2, section 14)'],
  getReport: [HASH, 'it names the head of the record that it is made of (docs/behaviour.md)'],
};

/** Headers of the transport alone. */
const NOT_OF_THE_ANSWER = new Set(['date', 'x-request-id', 'keep-alive', 'connection']);
const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
/** The id of a bot's order: a hash of the bot's and more. */
const BOT_ORDER = /\b[a-z2-7]{32}\b/g;
const SECRET = /\b(slip[a-z]*|whsec)_[\w+/=-]{16,}/g;

/** Names each id alike: what every world has by its label, everything else by its place among those of the same answer. */
function alike({ known }: PlayedWorld): (text: string, asked?: readonly string[]) => string {
  const labels = new Map(known.map(({ id, kind, label }) => [id, `<${kind} ${label}>`]));
  return (text, asked = []) => {
    const others = new Map<string, string>();
    const nameOf = (id: string): string => {
      const name = labels.get(id) ?? others.get(id) ?? `<id ${others.size + 1}>`;
      if (!labels.has(id)) others.set(id, name);
      return name;
    };
    return asked
      .reduce((left, id) => left.replaceAll(id, '<asked>'), text)
      .replaceAll(/127\.0\.0\.1:\d+/g, '<host>')
      .replaceAll(SECRET, '<secret>')
      .replaceAll(UUID, nameOf)
      .replaceAll(BOT_ORDER, nameOf);
  };
}

/** Bots act beside each other, so that none of their messages is the first, and orders of one moment stand by their hashes: these lists are compared in an order of their own. */
const IN_ANY_ORDER = ['notification_id', 'delivery_id', 'bot_order_id'];

const without = (value: unknown): string =>
  JSON.stringify(value).replaceAll(UUID, '').replaceAll(BOT_ORDER, '');
const byText = (one: unknown, other: unknown): number => (without(one) < without(other) ? -1 : 1);

function ordered(_: string, value: unknown): unknown {
  const isList = Array.isArray(value) && IN_ANY_ORDER.some((field) => field in Object(value[0]));
  return isList ? value.toSorted(byText) : value;
}

/** The text, with the lists that have no order in one of their own. */
const inOrder = (text: string): string =>
  IN_ANY_ORDER.some((field) => text.includes(field)) && text.startsWith('{')
    ? JSON.stringify(JSON.parse(text, ordered))
    : text;

const inAnyOrder = (channel: string) => (channel.startsWith('wsNotifications') ? byText : () => 0);

/** Real time decides how often these are told: their last answer is read by its operation. */
const PACED = new Set(['account', 'valued']);

/**
 * The events of each channel: bots run beside each other, so that of two channels neither is first. Real time decides how many
 * values are told, and how far a bot is when a request comes between: of those the last one, and which of the secrets any event
 * names.
 */
function framesOf(
  frames: readonly Frame[],
  since: Timestamp,
  secret: RegExp | undefined,
): Map<string, object[]> {
  const byChannel = new Map<string, object[]>();
  for (const { version, ...frame } of frames) {
    if (frame.channel === undefined || Date.parse(frame.at ?? '') < since) continue;
    const kind = parseChannel(frame.channel)?.kind;
    const isLast = kind === 'wsStrategyValue' || kind === 'wsBot';
    const channel = isLast ? `${frame.event} of ${frame.channel}` : frame.channel;
    const before = isLast ? [] : (byChannel.get(channel) ?? []);
    const told = countsEvents(kind) ? frame : { ...frame, version };
    if (!PACED.has(frame.event ?? '')) byChannel.set(channel, [...before, told]);
    const secrets = secret && kind === 'wsBot' ? JSON.stringify(frame).match(secret) : null;
    if (secrets)
      byChannel.set(
        `secrets in ${channel}`,
        secrets.map((one) => ({ one })),
      );
  }
  return byChannel;
}

/** Sent so that the length of the answer is told, too. */
function send(
  { server }: PlayedWorld,
  name: OperationName,
  fields: Fields,
  token: string | undefined,
) {
  const { method, path, auth } = operations[name];
  const headers = { 'accept-encoding': 'identity' };
  if (method === 'GET')
    return server.call(method, path, { query: queryOf(fields), token, headers });
  return auth === 'body'
    ? server.call(method, path, { body: { ...fields, api_token: token }, headers })
    : server.call(method, path, { body: fields, token, headers });
}

/** An answer as it is compared, headers and length too. */
export function shownAnswer(world: PlayedWorld) {
  const named = alike(world);
  return (
    name: OperationName,
    { status, text, headers }: Answer,
    asked: readonly string[] = [],
  ) => {
    const kept = [...headers].filter(([header]) => !NOT_OF_THE_ANSWER.has(header));
    const [isPublic] = PUBLIC[name] ?? [];
    const shown = isPublic ? inOrder(text).replaceAll(isPublic, '<public>') : inOrder(text);
    return named(`${status} ${shown} ${JSON.stringify(kept)}`, asked);
  };
}

/** A reader of a world, who keeps what comes. */
export function aReader(world: PlayedWorld, reader: string, asker: Asker) {
  const [named, shown] = [alike(world), shownAnswer(world)];
  const token = world.tokens.get(reader);
  const told = new Map<string, string>();
  const events = (when: string, frames: readonly Frame[]): void => {
    for (const [channel, some] of framesOf(frames, world.endedAt, world.secret))
      for (const [place, frame] of some.toSorted(inAnyOrder(channel)).entries())
        told.set(
          `${when} event ${place} of ${named(channel)}`,
          named(inOrder(JSON.stringify(frame))),
        );
  };
  return {
    told: told as Transcript,
    async ask(requests: readonly Request[]): Promise<void> {
      let isRefused = false;
      for (const { name, label, fields } of requests) {
        if (isRefused) return;
        const given = fields(world);
        const answer = await send(world, name, given, token);
        // Whoever has no token is refused before the request is read.
        isRefused = token === undefined && answer.status === 401;
        told.set(label, shown(name, answer, JSON.stringify(given).match(UUID) ?? []));
      }
    },
    /** The streams that were open all the time, and one that opens now. */
    async listen(): Promise<void> {
      events('early', (await world.streams.get(reader)?.settled()) ?? []);
      const late = await world.server.stream(token);
      for (const [channel, kind] of CHANNEL_KINDS) {
        for (const { id, label } of [...asker.known(kind), ...asker.unseen(kind)]) {
          const asked = `${channel}:${id}`;
          const { success, response } = await late.ask({ action: 'subscribe', channels: [asked] });
          if (success === true) await late.event(asked, 'snapshot');
          told.set(`${channel} ${label}`, named(JSON.stringify({ success, response }), [id]));
        }
      }
      events('late', await late.settled());
    },
    /** The mails and the messages to endpoints. */
    open(): void {
      const name = reader.replaceAll(' ', '-');
      const mails = world.mails.filter(({ to }) => to === `${name}@example.com`);
      for (const [place, { subject, text }] of mails.entries())
        told.set(`mail ${place}`, named(`${subject}\n${text}`));
      const sent = world.sent.filter(({ path }) => path === `/${name}`);
      const bodies = sent.map(({ body }) => ({ body })).toSorted(byText);
      for (const [place, { body }] of bodies.entries()) told.set(`delivery ${place}`, named(body));
    },
  };
}

/** Where two texts part, with some of what is before. */
function parted(one: string, other: string): string {
  let place = 0;
  while (place < one.length && one[place] === other[place]) place += 1;
  const shown = (text: string): string => text.slice(Math.max(0, place - 90), place + 160);
  return `  ${shown(one)}\n  ${shown(other)}`;
}

/** What two readers were not told alike. */
export const differences = (one: Transcript, other: Transcript): string[] =>
  [...new Set([...one.keys(), ...other.keys()])].flatMap((asked) => {
    const [here, there] = [one.get(asked) ?? 'nothing', other.get(asked) ?? 'nothing'];
    return here === there ? [] : `${asked}\n${parted(here, there)}`;
  });
