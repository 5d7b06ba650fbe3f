import type { Strategy } from '../../service/records.js';
import { AlertsPanel } from './alerts-panel.js';
import { NewOrderPanel } from './new-order-panel.js';
import { TargetsPanel } from './targets-panel.js';

/** How the owner trades the strategy. */
export const OwnerPanels = ({ strategy }: { readonly strategy: Strategy }) => (
  <>
    <div class="columns">
      <TargetsPanel strategy={strategy} />
      <NewOrderPanel strategy={strategy} />
    </div>
    <AlertsPanel strategy={strategy} />
  </>
);
