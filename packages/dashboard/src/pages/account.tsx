import { DangerPanel } from '../parts/account/danger.js';
import { EndpointsPanel } from '../parts/account/endpoints.js';
import { EarningsPanel } from '../parts/account/earnings.js';
import { NoticesPanel } from '../parts/account/notices.js';
import { PaymentsPanel } from '../parts/account/payments.js';
import { ProfilePanel } from '../parts/account/profile.js';
import { SecurityPanel } from '../parts/account/security.js';
import { TokensPanel } from '../parts/account/tokens.js';
import { SignedIn } from '../parts/common/signed-in.js';

/** Everything about the account: profile, password, tokens, payments, earnings, export, end. */
export function Account() {
  return (
    <SignedIn>
      <div class="stack">
        <h1>Account</h1>
        <div class="columns">
          <ProfilePanel />
          <SecurityPanel />
        </div>
        <NoticesPanel />
        <EndpointsPanel />
        <TokensPanel />
        <div class="columns">
          <PaymentsPanel />
          <EarningsPanel />
        </div>
        <DangerPanel />
      </div>
    </SignedIn>
  );
}
