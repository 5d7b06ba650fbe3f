import { type PaymentGateway, PaymentUnreachable } from '@slipstream/ports';
import { type Life, never } from '../run/life.js';
import { type Run, crash } from '../run/run.js';

/** The payment gateway as the core reaches it: over a network, from a process that may crash at every call. */
export function wrappedGateway(run: Run, life: Life): PaymentGateway {
  const { world } = run;
  const { gateway } = world.payments;

  const through =
    <Given, Answer>(method: string, call: (given: Given) => Promise<Answer>) =>
    async (given: Given): Promise<Answer> => {
      if (!life.alive) return never();
      await world.schedule.turn();
      if (!life.alive) return never();
      const fault = world.faults.payment();
      if (fault) {
        world.note(`payment ${method}: ${fault}`);
        world.reach(`fault: payment ${fault}`);
      }
      if (fault === 'lost_request') throw new PaymentUnreachable('the request was lost');
      if (fault === 'crash_before') {
        crash(run, `before ${method}`);
        return never();
      }
      const answer = await call(given);
      if (fault === 'crash_after') {
        crash(run, `after ${method}`);
        return never();
      }
      await world.schedule.turn();
      if (!life.alive) return never();
      world.reach(`payment: ${method}`);
      if (fault === 'lost_answer') throw new PaymentUnreachable('the answer was lost');
      return answer;
    };

  return {
    ...gateway,
    link: through('link', gateway.link),
    charge: through('charge', gateway.charge),
    refund: through('refund', gateway.refund),
    standing: through('standing', gateway.standing),
    payOut: through('payOut', gateway.payOut),
  };
}
