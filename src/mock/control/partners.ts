import { demand, listOf, objectOf, optional, text } from '../checks/check.js';
import { addPartner } from '../state/service-state.js';
import type { PartnerRecord, ServiceState } from '../state/state.js';

/** What a client needs: `new OnlineOrdering({ ...credentials })`. */
export interface PartnerCredentials {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface AddPartnerOptions {
  /** Ids of the locations in scope. @defaultValue every location */
  readonly locations?: readonly string[] | undefined;
}

export interface PartnerControl {
  /** A further partner, with carts, orders and webhooks of its own. */
  add(options?: AddPartnerOptions): PartnerCredentials;
  /**
   * A new client secret; the old one is refused at once, tokens that were issued stay valid.
   *
   * @param clientId - of the partner; without it, of the first one, and then `service.credentials` has the new secret.
   */
  rotateSecret(clientId?: string): PartnerCredentials;
}

const OPTIONS = objectOf<AddPartnerOptions>({ locations: optional(listOf(text)) }, { called: 'option' });

export function createPartnerControl(state: () => ServiceState, baseUrl: string): PartnerControl {
  return {
    add(options = {}) {
      const { locations } = demand('partners.add', options, OPTIONS);
      const known = state().locations;
      for (const id of locations ?? []) if (!known.has(id)) throw new Error(`The service has no location ${id}.`);
      return credentialsOf(addPartner(state(), locations ?? known.keys()), baseUrl);
    },
    rotateSecret(clientId) {
      const partners = [...state().partners.values()];
      const partner = clientId === undefined ? partners[0] : partners.find((one) => one.clientId === clientId);
      if (!partner) throw new Error(`The service has no partner with the client id ${clientId}.`);
      partner.clientSecret = state().nextSecret('sk_test_');
      return credentialsOf(partner, baseUrl);
    },
  };
}

export function credentialsOf({ clientId, clientSecret }: PartnerRecord, baseUrl: string): PartnerCredentials {
  return { baseUrl, clientId, clientSecret };
}
