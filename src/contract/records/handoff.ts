/** The known values of {@link HandoffModeName}. */
export const HANDOFF_MODES = ['PICKUP', 'CURBSIDE', 'DELIVERY', 'KIOSK'] as const;

/** Name of a handoff mode in a request. Responses may name modes to come: there it is `Open<HandoffModeName>`. */
export type HandoffModeName = (typeof HANDOFF_MODES)[number];

/**
 * How the customer gets the order; `mode` says which way. Each mode takes its own fields; the service refuses a missing
 * or an extra one (422).
 *
 * @see Interface document, "HandoffMode"
 */
export type HandoffMode = PickupHandoff | CurbsideHandoff | DeliveryHandoff | KioskHandoff;

/** The customer collects at the counter. */
export interface PickupHandoff {
  /** Tells the mode. */
  mode: 'PICKUP';
  /** ISO 8601 date-time; null or absent means as soon as possible. */
  pickup_time?: string | null | undefined;
}

/** Staff brings the order to the customer's vehicle. */
export interface CurbsideHandoff {
  /** Tells the mode. */
  mode: 'CURBSIDE';
  /** For example `Honda`. */
  vehicle_make: string;
  /** For example `Fit`. */
  vehicle_model: string;
  /** For example `blue`. */
  vehicle_color: string;
  /** ISO 8601 date-time; null or absent means as soon as possible. */
  pickup_time?: string | null | undefined;
}

/** A driver brings the order to an address. Cash is not supported. */
export interface DeliveryHandoff {
  /** Tells the mode. */
  mode: 'DELIVERY';
  /** Where to; stored as given, the service does not look the address up. */
  delivery_address: DeliveryAddress;
  /** Free text for the driver. */
  delivery_instructions?: string | null | undefined;
}

/** The order comes from a kiosk in the store. */
export interface KioskHandoff {
  /** Tells the mode. */
  mode: 'KIOSK';
  /** Which kiosk. */
  kiosk_id?: string | null | undefined;
}

/**
 * Where a delivery goes.
 *
 * @see Interface document, "HandoffMode"
 */
export interface DeliveryAddress {
  /** Street and number, with apartment or suite. */
  street: string;
  /** Name of the city. */
  city: string;
  /** Two-letter code, for example `TX`. */
  state: string;
  /** Text as the country writes it, for example `78745`. */
  postal_code: string;
  /** Two-letter ISO 3166-1 code. @defaultValue `US` */
  country?: string | undefined;
}
