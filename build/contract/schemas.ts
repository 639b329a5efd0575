import { z } from 'zod';
import * as contract from '../../src/contract/index.js';
import { type Annotation, annotationOf } from '../../src/contract/schemas/annotation.js';
import { endpoints } from '../../src/endpoints/endpoints.js';
import { type Docstrings, gapsIn } from './docstrings.js';

/** A schema of JSON Schema 2020-12, with what this package adds to it. */
export type JsonSchema = { [Keyword: string]: unknown };

type Schema = z.ZodType;

/** The open enumerations that have a name of their own, by the list of their known values. */
const ENUMERATIONS: readonly (readonly [string, readonly string[]])[] = [
  ['CartStatus', contract.CART_STATUSES],
  ['ChangeReason', contract.CHANGE_REASONS],
  ['DayOfWeek', contract.DAYS_OF_WEEK],
  ['DiscountScope', contract.DISCOUNT_SCOPES],
  ['DiscountSource', contract.DISCOUNT_SOURCES],
  ['DiscountType', contract.DISCOUNT_TYPES],
  ['ErrorCode', contract.ERROR_CODES],
  ['FeeType', contract.FEE_TYPES],
  ['FulfillmentStatus', contract.FULFILLMENT_STATUSES],
  ['HandoffModeName', contract.HANDOFF_MODES],
  ['InventoryStatus', contract.INVENTORY_STATUSES],
  ['MenuChangeType', contract.MENU_CHANGE_TYPES],
  ['OrderStatus', contract.ORDER_STATUSES],
  ['PaymentMethod', contract.TENDER_TYPES],
  ['PaymentRecordStatus', contract.PAYMENT_RECORD_STATUSES],
  ['PaymentStatus', contract.PAYMENT_STATUSES],
  ['PromoCodeStatus', contract.PROMO_CODE_STATUSES],
  ['PromoRejectionReason', contract.PROMO_REJECTION_REASONS],
  ['RefundReason', contract.REFUND_REASONS],
  ['RefundStatus', contract.REFUND_STATUSES],
  ['TenderRestrictionLevel', contract.TENDER_RESTRICTION_LEVELS],
  ['TokenType', contract.TOKEN_TYPES],
  ['WebhookEventType', contract.WEBHOOK_EVENT_TYPES],
  ['WebhookSubscriptionStatus', contract.WEBHOOK_SUBSCRIPTION_STATUSES],
];

/** Where a record holds records of its own kind: `[holder, path to the place, what it holds]`. */
const NESTED: readonly (readonly [string, readonly string[], string])[] = [
  ['ModifierSelection', ['properties', 'nested_selections', 'items'], 'ModifierSelection'],
  ['ModifierSelectionRequest', ['properties', 'nested_selections', 'items'], 'ModifierSelectionRequest'],
  ['Modifier', ['properties', 'modifier_groups', 'items'], 'ModifierGroup'],
];

/** Where references point: `#/components/schemas/` in OpenAPI, `#/$defs/` in JSON Schema. */
type Place = '#/components/schemas/' | '#/$defs/';

/** Every record of the contract by name, made from the schemas that the client validates with. */
export function buildSchemas(docstrings: Docstrings, place: Place): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [name, schema] of namedSchemas()) registry.add(schema, { id: name });
  const { schemas } = z.toJSONSchema(registry, {
    io: 'input',
    unrepresentable: 'any',
    uri: (name) => place + name,
    override: ({ zodSchema, jsonSchema }) => adapt(zodSchema as unknown as Schema, jsonSchema as JsonSchema, place),
  }) as { schemas: Record<string, JsonSchema> };

  nameModifiers(schemas, place);
  tellHandoffsApart(schemas);
  for (const [name, known] of ENUMERATIONS) schemas[name] = openEnumeration(known);
  for (const [name, schema] of Object.entries(schemas)) {
    delete schema.$schema;
    delete schema.$id;
    describe(name, schema, docstrings);
  }
  return Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The schemas that the contract exports, and a page for each list. */
function namedSchemas(): (readonly [string, Schema])[] {
  const exported = Object.entries<unknown>(contract).filter(
    ([name]) => name.endsWith('Schema') && name !== 'pageEnvelopeSchema',
  ) as [string, () => Schema][];
  const records = exported.map(([name, schema]) => [recordName(name), schema()] as const);
  const pages = Object.entries(endpoints).flatMap(([name, facts]) => {
    if (!('largestPage' in facts)) return [];
    const page = contract.operations[name as keyof typeof endpoints].response!();
    const item = (page as unknown as { shape: { data: { element: Schema } } }).shape.data.element;
    return [[`${records.find(([, schema]) => schema === item)![0]}Page`, page] as const];
  });
  return [...records, ...pages];
}

/** The name of a schema of the contract, of an optional body too. */
export function nameOfSchema(schema: Schema): string {
  const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  const [name] = namedSchemas().find(([, named]) => named === inner) ?? [];
  if (name === undefined) throw new Error('A body of the contract has no exported schema.');
  return name;
}

const recordName = (exportName: string): string =>
  exportName.charAt(0).toUpperCase() + exportName.slice(1, -'Schema'.length);

/** Says what the document says where the schema itself takes more, or says it in another language. */
function adapt(schema: Schema, json: JsonSchema, place: Place): void {
  const annotation = annotationOf(schema);
  if (annotation) annotateJson(annotation, json, place);
  if (json.additionalProperties !== undefined) {
    // Unknown fields are kept everywhere but in handoff bodies, where every further field must be absent.
    const { catchall } = (schema as unknown as { _zod: { def: { catchall?: Schema } } })._zod.def;
    if (catchall instanceof z.ZodUndefined) json.additionalProperties = false;
    else delete json.additionalProperties;
  }
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
  if (json.format === 'uuid') delete json.pattern;
}

function annotateJson({ known, format, maxLength }: Annotation, json: JsonSchema, place: Place): void {
  if (known) {
    const [name] = ENUMERATIONS.find(([, values]) => values === known) ?? [];
    if (name === undefined) throw new Error(`The values ${known.join(', ')} need a name in ENUMERATIONS.`);
    for (const keyword of Object.keys(json)) delete json[keyword];
    json.$ref = place + name;
  }
  if (format) Object.assign(json, { format });
  if (format === 'uuid' || format === 'date-time') {
    delete json.pattern;
    delete json.minLength;
  }
  if (maxLength !== undefined) Object.assign(json, { maxLength });
}

/** Values known today, and any text that comes later ("Versioning", rule 3). */
const openEnumeration = (known: readonly string[]): JsonSchema => ({
  anyOf: [
    { type: 'string', enum: [...known] },
    { type: 'string', description: 'A value that came later: take it, and go on.' },
  ],
});

/** The schemas check three levels and write each out; here a record refers to itself, and says how deep it may. */
function nameModifiers(schemas: Record<string, JsonSchema>, place: Place): void {
  const group = schemas.ModifierGroup as { properties: { modifiers: { items: JsonSchema } } };
  schemas.Modifier = group.properties.modifiers.items;
  group.properties.modifiers.items = { $ref: `${place}Modifier` };
  for (const [holder, path, held] of NESTED) {
    const parent = path.slice(0, -1).reduce<JsonSchema>((at, key) => at[key] as JsonSchema, schemas[holder]!);
    parent[path.at(-1)!] = { $ref: place + held };
    parent['x-max-levels'] = contract.MODIFIER_LEVELS;
  }
}

/**
 * A handoff in a response has the fields that its mode takes in a request; a mode to come has any. The client checks that
 * by a rule of its own, which no schema shows.
 */
function tellHandoffsApart(schemas: Record<string, JsonSchema>): void {
  type Mode = { properties: Record<string, JsonSchema>; required: string[] };
  const modes = (schemas.HandoffModeRequest as { oneOf: Mode[] }).oneOf;
  const { properties: shown } = schemas.HandoffMode as { properties: Fields };
  const variants = modes.map(({ properties, required }) => {
    const fields = Object.keys(properties).map((field) => [
      field,
      field === 'mode' ? properties.mode : required.includes(field) ? withoutNull(shown[field]!) : shown[field],
    ]);
    return { type: 'object', properties: Object.fromEntries(fields), required };
  });
  const later = {
    title: 'LaterHandoff',
    description: 'A mode that came later.',
    type: 'object',
    properties: { mode: { type: 'string', not: { enum: [...contract.HANDOFF_MODES] } } },
    required: ['mode'],
  };
  // A copy: the variants are described where they stand.
  schemas.HandoffMode = structuredClone({ oneOf: [...variants, later] });
}

function withoutNull(schema: JsonSchema): JsonSchema {
  const [first] = (schema.anyOf ?? []) as JsonSchema[];
  if (first) return first;
  return { ...schema, type: (schema.type as string[])[0] };
}

/** Docstrings by the name of a schema: where a schema has no type of its own, that of another. */
const DESCRIBED_AS: Readonly<Record<string, string>> = {
  CreatedCart: 'Cart',
  HandoffModeRequest: 'HandoffMode',
  DeliveryAddressRequest: 'DeliveryAddress',
};

const EXTRA: Readonly<Record<string, string>> = {
  CreatedCart: 'A cart just opened: what is empty in it may be left out (gap BODY-4).',
  MoneyOrCents: 'An amount that the document does not type: Money, or whole cents (gap PAY-10).',
  PaymentResponse: 'The payment, or the order in its place (gap PAY-2).',
  TokenType: 'Always `BEARER`.',
};

function describe(name: string, schema: JsonSchema, docstrings: Docstrings): void {
  const pageOf = /^(\w+)Page$/.exec(name)?.[1];
  const known = pageOf ? 'PageEnvelope' : (DESCRIBED_AS[name] ?? name);
  const extra = EXTRA[name];
  const docstring = pageOf ? { text: `One page of a list of \`${pageOf}\`.`, gaps: [] } : docstrings.get(known);
  note(schema, extra ? { text: extra, gaps: gapsIn(extra) } : docstring);
  describeFields(known, schema, docstrings);
  if (name === 'ErrorEnvelope') describeFields('ErrorBody', (schema.properties as Fields).error!, docstrings);
  if (pageOf) describeFields('PageInfo', (schema.properties as Fields).pagination!, docstrings);
  if (/Event$/.test(name))
    describeFields(`${name.replace(/Event$/, '')}Data`, (schema.properties as Fields)?.data, docstrings);
  for (const option of (schema.oneOf as JsonSchema[] | undefined) ?? []) describeVariant(option, docstrings);
}

type Fields = Record<string, JsonSchema>;

function describeFields(owner: string, schema: JsonSchema | undefined, docstrings: Docstrings): void {
  for (const [field, fieldSchema] of Object.entries((schema?.properties ?? {}) as Fields)) {
    note(fieldSchema, docstrings.get(`${owner}.${field}`));
  }
}

/** The types of the variants of a handoff and of a payment, by what tells them apart. */
const VARIANTS: Readonly<Record<string, string>> = {
  PICKUP: 'PickupHandoff',
  CURBSIDE: 'CurbsideHandoff',
  DELIVERY: 'DeliveryHandoff',
  KIOSK: 'KioskHandoff',
  CREDIT_CARD: 'TokenPaymentRequest',
  GIFT_CARD: 'GiftCardPaymentRequest',
  LOYALTY_POINTS: 'LoyaltyPointsPaymentRequest',
  CASH: 'CashPaymentRequest',
};

function describeVariant(option: JsonSchema, docstrings: Docstrings): void {
  const { mode, payment_method } = (option.properties ?? {}) as Fields;
  const told = mode ?? payment_method;
  const type = VARIANTS[String(told?.const ?? (told?.enum as string[] | undefined)?.[0])];
  if (type === undefined) return;
  option.title = type;
  note(option, docstrings.get(type));
  describeFields(type, option, docstrings);
}

function note(
  schema: JsonSchema,
  docstring: { readonly text: string; readonly gaps: readonly string[] } | undefined,
): void {
  if (!docstring) return;
  if (docstring.text !== '') schema.description = docstring.text;
  if (docstring.gaps.length > 0) schema['x-gap'] = [...new Set(docstring.gaps)];
}
