import type { WebhookEventType } from '../../contract/index.js';

type Fields = Readonly<Record<string, unknown>>;
type Check = (data: Fields) => string | undefined;

/**
 * What is asked of the data of each event: the ids that say what it is about. The interface document shows no field of
 * a payload, so that everything else may be missing, and only may not be of another type.
 */
const checks: Readonly<Record<WebhookEventType, Check>> = {
  'order.created': (data) =>
    texts(data, ['order_id']) ?? optionalTexts(data, ['location_id', 'status', 'handoff_mode', 'created_at']),
  'order.status_changed': (data) => texts(data, ['order_id']) ?? optionalTexts(data, STATUS_FIELDS),
  'order.cancelled': (data) =>
    texts(data, ['order_id']) ?? optionalTexts(data, ['location_id', 'reason', 'cancelled_at']),
  'stock.updated': (data) => texts(data, ['location_id']) ?? list(data, 'items', stockChange),
  'menu.changed': (data) =>
    texts(data, ['location_id', 'version_hash']) ?? optionalTexts(data, ['change_type', 'changed_at']),
  'location.hours_changed': (data) =>
    texts(data, ['location_id']) ??
    list(data, 'current_hours', dayHours) ??
    optionalTexts(data, ['effective_date', 'changed_at']),
};

const STATUS_FIELDS = [
  'location_id',
  'changed_at',
  ...['status', 'fulfillment_status', 'payment_status'].flatMap((name) => [`previous_${name}`, `current_${name}`]),
];

const STOCK_TEXTS = ['item_id', 'current_status'];
const STOCK_OPTIONAL = ['name', 'previous_status', 'updated_at'];

const stockChange: Check = (item) =>
  // Written out first, for events of hundreds of items: fields looked up by a variable name cost five times as much.
  isText(item.item_id) &&
  isText(item.current_status) &&
  isOptionalText(item.previous_status) &&
  isOptionalText(item.updated_at) &&
  isOptionalText(item.name)
    ? undefined
    : (texts(item, STOCK_TEXTS) ?? optionalTexts(item, STOCK_OPTIONAL));

const dayHours: Check = (day) => optionalTexts(day, ['day_of_week', 'open_time', 'close_time']);

/** `null` when the data fit the type, `undefined` when the type is not known, otherwise what is wrong. */
export function shapeProblem(type: string, data: unknown): string | null | undefined {
  const check = Object.hasOwn(checks, type) ? checks[type as WebhookEventType] : undefined;
  if (!check) return undefined;
  if (!isFields(data)) return 'data is not an object';
  return check(data) ?? null;
}

function texts(data: Fields, names: readonly string[]): string | undefined {
  for (const name of names) {
    if (!isText(data[name])) return `data.${name} is not a text`;
  }
  return undefined;
}

function optionalTexts(data: Fields, names: readonly string[]): string | undefined {
  for (const name of names) {
    if (!isOptionalText(data[name])) return `data.${name} is not a text`;
  }
  return undefined;
}

function list(data: Fields, name: string, check: Check): string | undefined {
  const items = data[name];
  if (!Array.isArray(items)) return `data.${name} is not a list`;
  for (let index = 0; index < items.length; index += 1) {
    const item: unknown = items[index];
    const problem = isFields(item) ? check(item) : 'data is not an object';
    if (problem) return problem.replace('data', () => `data.${name}[${index}]`);
  }
  return undefined;
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isOptionalText(value: unknown): boolean {
  return typeof value === 'string' || value === undefined || value === null;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
