/** What the control API responds; only the fields that the page shows. */
export interface Req {
  number: number;
  method: string;
  path: string;
  route: string | null;
  idempotencyKey: string | null;
  attempt: number | null;
  at: string;
  status: number | null;
  ending: string;
  durationMs: number | null;
  replayed: boolean;
  fault: Record<string, unknown> | null;
}
export interface ReqDetails extends Req {
  requestHeaders: Record<string, string>;
  requestBody: string | null;
  responseHeaders: Record<string, string> | null;
  responseBody: string | null;
}
export interface Money {
  amount: number;
}
export interface Payment {
  id: string;
  payment_method: string;
  status: string;
  amount: Money | number;
}
export interface Order {
  id: string;
  location_id: string;
  status: string;
  fulfillment_status: string;
  payment_status: string;
  total: Money;
  balance_due: Money | number | null;
  amount_paid: Money | number;
  amount_refunded: Money | number;
  handoff: { mode: string };
  payments: Payment[];
}
export interface Ledger {
  entries: {
    kind: string;
    method: string;
    paymentId: string;
    cents: number;
    at: string;
    idempotencyKey: string | null;
  }[];
  charged: number;
  refunded: number;
  net: number;
}
export interface OrderView {
  order: Order;
  next: string[];
  timeline: { at: string; what: string }[];
  ledger: Ledger;
}
export interface Delivery {
  number: number;
  eventId: string;
  eventType: string;
  url: string;
  signature: string;
  attempt: number;
  status: number | null;
  error: string | null;
  delivered: boolean;
  at: string;
}
export interface DeliveryDetails extends Delivery {
  requestBody: string;
  responseHeaders: Record<string, string> | null;
  responseBody: string | null;
}
export interface ClockState {
  now: string;
  running: boolean;
}
export interface Location {
  id: string;
  name: string;
}
export interface Modifier {
  id: string;
  name: string;
  price: Money;
  available?: boolean;
  modifier_groups?: ModifierGroup[];
}
export interface ModifierGroup {
  id: string;
  name: string;
  min_selections: number;
  max_selections: number;
  allows_duplicates: boolean;
  modifiers: Modifier[];
}
export interface MenuItem {
  id: string;
  name: string;
  description?: string;
  base_price: Money;
  available: boolean;
  minimum_age?: number | null;
  max_allowed_quantity?: number | null;
  daily_sales_start_time?: string | null;
  daily_sales_end_time?: string | null;
  modifier_groups?: ModifierGroup[];
}
export interface Menu {
  categories: { id: string; name: string; items: MenuItem[] }[];
}

export const AWAY = 'The service does not respond. It has ended, or is being started again.';

async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  const init: RequestInit = { method };
  if (method === 'POST') {
    init.headers = { 'content-type': 'application/json' };
    init.body = JSON.stringify(body ?? {});
  }
  const response = await fetch(`/_mock${path}`, init).catch(() => {
    throw new Error(AWAY);
  });
  const said = (await response.json()) as T & { error: { message: string } };
  if (!response.ok) throw new Error(said.error.message);
  return said;
}

export const get = <T>(path: string): Promise<T> => ask('GET', path);
export const post = <T>(path: string, body?: unknown): Promise<T> => ask('POST', path, body);
export const remove = <T>(path: string): Promise<T> => ask('DELETE', path);

export const cents = (value: Money | number | null | undefined): number =>
  typeof value === 'number' ? value : (value?.amount ?? 0);
export const dollars = (value: Money | number | null | undefined): string =>
  `${cents(value) < 0 ? '−' : ''}$${(Math.abs(cents(value)) / 100).toFixed(2)}`;
export const time = (at: string): string => at.slice(11, 23).replace(/\.000$/, '');
export const short = (id: string): string => id.slice(0, 8);
export const words = (status: string): string => status.replaceAll('_', ' ').toLowerCase();
