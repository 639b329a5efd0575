import type { ServiceState, TenderEnforcement } from '../state/state.js';

/** Where tenders are enforced for a partner. */
export function tenderEnforcement(state: ServiceState, partnerId: string): TenderEnforcement {
  return state.partners.get(partnerId)?.enforceTenders ?? state.rules.enforceTenders;
}
