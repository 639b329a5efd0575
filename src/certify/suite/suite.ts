/** One row of the contract suite, as something that can be tried at a service. */
export interface SuiteRow {
  /** Section or rule of the interface document: `Cart rules 1`. */
  readonly section: string;
  /** What is true of a service that holds it. */
  readonly row: string;
  /** Rows of `docs/interface-gaps.md` that it takes in the reading of this package: `MENU-8`. */
  readonly gaps: readonly string[];
  /** Why no partner can try it; then `run` does nothing. */
  readonly reason?: string;
  /** @throws Differs what is otherwise, CannotTry why it could not be tried. */
  run(): Promise<void>;
}

/** What the suite is run at. */
export interface SuiteService {
  readonly credentials: { readonly baseUrl: string; readonly clientId: string; readonly clientSecret: string };
  readonly fetch: typeof globalThis.fetch;
  /** Values that no row can find out by asking: `payment_token`, `promo_code`. */
  readonly given: Readonly<Record<string, string | undefined>>;
}

/** The contract suite of this repository, made for any service. */
export interface ContractSuite {
  /** Its rows, in the order of its files. */
  rows(): Promise<readonly SuiteRow[]>;
  /** The service at which rows are tried from now on. */
  open(service: SuiteService): void;
}
