import { demand, listOf, objectOf, optional, type Shape, text, trueOrFalse } from '../checks/check.js';
import { TENDER_ENFORCEMENT } from '../checks/records.js';
import { FEATURE_NAMES, type Feature } from '../state/features.js';
import { addPartner } from '../state/service-state.js';
import type { PartnerRecord, ServiceState } from '../state/state.js';

/** What a client needs: `new OnlineOrdering({ ...credentials })`. */
export interface PartnerCredentials {
  /** Base address of the service, version path included. */
  readonly baseUrl: string;
  /** The partner's id for the token endpoint. */
  readonly clientId: string;
  /** The partner's secret for the token endpoint; made for the mock, and of use nowhere else. */
  readonly clientSecret: string;
}

/** What a further partner may see. */
export interface AddPartnerOptions {
  /** Ids of the locations in scope. @defaultValue every location */
  readonly locations?: readonly string[] | undefined;
}

/** What of a partner can be changed. */
export interface PartnerChange {
  /** Which features the partner has; one that is left out stays as it is. Calls of one that is off get 403. */
  readonly features?: Readonly<Partial<Record<Feature, boolean | undefined>>> | undefined;
  /** As the option of `createMockService`. */
  readonly enforceTenders?: boolean | 'payment' | 'checkout' | 'cart' | undefined;
}

/** Partners of the service: further ones, their secrets and features. */
export interface PartnerControl {
  /** A further partner, with carts, orders and webhooks of its own. */
  add(options?: AddPartnerOptions): PartnerCredentials;
  /**
   * A new client secret; the old one is refused at once, tokens that were issued stay valid.
   *
   * @param clientId - of the partner; without it, of the first one, and then `service.credentials` has the new secret.
   */
  rotateSecret(clientId?: string): PartnerCredentials;
  /**
   * Switches features off for a partner, or on again, and says where tenders are enforced for it (planned parts of the
   * interface document; gap AUTH-2): with `{ features: { payments: false } }` they are refused with 403 "Insufficient permissions".
   *
   * @param clientId - of the partner; without it, the first one.
   */
  configure(change: PartnerChange, clientId?: string): void;
}

const OPTIONS = objectOf<AddPartnerOptions>({ locations: optional(listOf(text)) }, { called: 'option' });

const CHANGE = objectOf<PartnerChange>({
  features: optional(
    objectOf(
      Object.fromEntries(FEATURE_NAMES.map((name) => [name, optional(trueOrFalse)])) as Shape<
        NonNullable<PartnerChange['features']>
      >,
      { called: 'feature' },
    ),
  ),
  enforceTenders: optional(TENDER_ENFORCEMENT),
});

export function createPartnerControl(state: () => ServiceState, baseUrl: string): PartnerControl {
  return {
    add(options = {}) {
      const { locations } = demand('partners.add', options, OPTIONS);
      const known = state().locations;
      for (const id of locations ?? []) if (!known.has(id)) throw new Error(`The service has no location ${id}.`);
      return credentialsOf(addPartner(state(), locations ?? known.keys()), baseUrl);
    },
    configure(change, clientId) {
      const { features = {}, enforceTenders } = demand('partners.configure', change, CHANGE);
      const partner = partnerOf(state(), clientId);
      const off = new Set(partner.withoutFeatures);
      for (const name of FEATURE_NAMES) {
        if (features[name] === false) off.add(name);
        if (features[name] === true) off.delete(name);
      }
      partner.withoutFeatures = off;
      if (enforceTenders !== undefined) partner.enforceTenders = enforceTenders === true ? 'payment' : enforceTenders;
    },
    rotateSecret(clientId) {
      const partner = partnerOf(state(), clientId);
      partner.clientSecret = state().nextSecret('sk_test_');
      return credentialsOf(partner, baseUrl);
    },
  };
}

export function partnerOf(state: ServiceState, clientId: string | undefined): PartnerRecord {
  const partners = [...state.partners.values()];
  const partner = clientId === undefined ? partners[0] : partners.find((one) => one.clientId === clientId);
  if (!partner) throw new Error(`The service has no partner with the client id ${clientId}.`);
  return partner;
}

export function credentialsOf({ clientId, clientSecret }: PartnerRecord, baseUrl: string): PartnerCredentials {
  return { baseUrl, clientId, clientSecret };
}
