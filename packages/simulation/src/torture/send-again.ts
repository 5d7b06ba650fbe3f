import { RequestFailed } from '@slipstream/client';
import { type Trading, clientOf } from './scene.js';
import { type Sent, ordersOf, send } from './sent.js';

/** How many unanswered requests are sent at once. */
const TOGETHER = 8;

/** Repeats requests: unanswered ones twice; answered ones must get the same answer. */
export async function sendAgain(
  trading: Trading,
  url: string,
  unanswered: readonly Sent[],
): Promise<string[]> {
  const client = clientOf(url, trading.token);
  const { figures, promised, remembered } = trading;
  const faults: string[] = [];
  const answerOf = async (sent: Sent): Promise<string | undefined> => {
    figures.askedAgain += 1;
    try {
      return await send(client, sent);
    } catch (error) {
      if (error instanceof RequestFailed && error.status === 400) return undefined;
      throw error;
    }
  };
  const isSame = (sent: Sent, one: string, other: string | undefined): boolean =>
    sent.key !== undefined
      ? one === other
      : other !== undefined && ordersOf(one).join() === ordersOf(other).join();
  for (let from = 0; from < unanswered.length; from += TOGETHER)
    await Promise.all(
      unanswered.slice(from, from + TOGETHER).map(async (sent) => {
        sent.answer = await answerOf(sent);
        if (sent.answer === undefined) return;
        for (const order of ordersOf(sent.answer)) promised.orders.add(order);
        remembered.push(sent);
      }),
    );
  const old = remembered.slice(0, -20);
  const some = remembered.slice(-20);
  for (let drawn = 0; drawn < 5 && old.length > 0; drawn += 1) {
    const sent = old[(figures.askedAgain * 7919 + drawn) % old.length];
    if (sent) some.push(sent);
  }
  for (const sent of some) {
    const again = await answerOf(sent);
    if (sent.answer !== undefined && !isSame(sent, sent.answer, again))
      faults.push(
        `${sent.name} ${sent.key ?? String(sent.fields['alert_id'])} was answered ${sent.answer} and then ${again}`,
      );
  }
  return faults;
}
