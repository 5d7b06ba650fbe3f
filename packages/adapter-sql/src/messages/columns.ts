import type { Notification, OutgoingMail } from '@slipstream/domain';
import { type RowOf, columnsOf, integer, nullable, text } from '../storage/codec.js';

export const notificationColumns = columnsOf<Notification>()({
  id: text(),
  userId: text(),
  type: text(),
  text: text(),
  strategyId: nullable(text()),
  botId: nullable(text()),
  postId: nullable(text()),
  actorId: nullable(text()),
  createdAt: integer,
  readAt: nullable(integer),
});

export const mailColumns = columnsOf<OutgoingMail>()({
  id: text(),
  userId: text(),
  to: text(),
  subject: text(),
  sealedText: text(),
  urgency: integer,
  attempts: integer,
  failure: nullable(text()),
  dueAt: integer,
  createdAt: integer,
});

export interface MessageTables {
  readonly notifications: RowOf<typeof notificationColumns>;
  readonly mails: RowOf<typeof mailColumns>;
}
