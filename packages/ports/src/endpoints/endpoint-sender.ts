import type {
  DeliveryId,
  EndpointTarget,
  Happening,
  SendAnswer,
  Timestamp,
} from '@slipstream/domain';

/** What is sent: systems get the body, messengers the text. */
export interface EndpointMessage {
  /** The same at every attempt. */
  readonly id: DeliveryId;
  /** When this attempt is made. */
  readonly at: Timestamp;
  /** JSON: `{type, timestamp, data}` (contract 17). */
  readonly body: string;
  /** Short, for people. */
  readonly text: string;
}

/** Sends events out of the service: to webhooks (Standard Webhooks) and to messengers. */
export interface EndpointSender {
  /** The body of the message about a happening; its data is the record as reads show it. */
  bodyOf(happening: Happening, at: Timestamp): string;
  /** What a target may not be: the sentence continues the name of its field. Undefined when it can be tried. */
  problemOf(target: EndpointTarget): string | undefined;
  /** A new secret that signs. */
  newSecret(): string;
  /** Makes one attempt, which ends soon. An answer, a refusal and silence are all answers here: it does not throw. */
  send(target: EndpointTarget, message: EndpointMessage): Promise<SendAnswer>;
}
