import type { z } from 'zod';
import type { Cart, ListOrdersQuery, OperationContract, OperationSchemas, PageQuery } from '../contract/index.js';
import type { EndpointName, endpoints } from './endpoints.js';

type SchemaOf<Name extends EndpointName, Part extends keyof OperationContract> = OperationSchemas[Name] extends {
  readonly [Key in Part]: () => infer Schema;
}
  ? Schema extends z.ZodType
    ? z.output<Schema>
    : never
  : undefined;

/** Where the type that partners see differs from the schema. */
interface Responses {
  /** Fields that a new cart may leave out are empty there (gap BODY-4). */
  readonly 'POST /carts': Cart;
}

/** The body of a success, as the schema of the endpoint has it; `undefined` where there is none. */
export type ResponseOf<Name extends EndpointName> = Name extends keyof Responses
  ? Responses[Name]
  : SchemaOf<Name, 'response'>;

/** The body of a request; `undefined` where there is none. */
export type BodyOf<Name extends EndpointName> = SchemaOf<Name, 'request'>;

/** The query of an endpoint. */
interface Queries {
  readonly 'GET /locations': PageQuery;
  readonly 'GET /locations/{location_id}/inventory': PageQuery;
  readonly 'GET /carts/{cart_id}/promo-codes/validate': { readonly code: string };
  readonly 'GET /orders': ListOrdersQuery;
  readonly 'GET /webhooks': PageQuery;
}

/** The query of a request; `undefined` where there is none. */
export type QueryOf<Name extends EndpointName> = Name extends keyof Queries ? Queries[Name] : undefined;

/** The names in braces of a path template. */
type NamesIn<Template extends string> = Template extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** A value for each name in the path of an endpoint; `undefined` where there is none. */
export type ParamsOf<Name extends EndpointName> = [NamesIn<Name>] extends [never]
  ? undefined
  : { readonly [Param in NamesIn<Name>]: string };

/** A property that must be given, may be left out, or does not exist, as its type says. */
type Given<Key extends string, Value> = [Value] extends [undefined]
  ? { readonly [Name in Key]?: undefined }
  : undefined extends Value
    ? { readonly [Name in Key]?: Value }
    : { readonly [Name in Key]: Value };

/** A query in which nothing must be said may be left out as a whole. */
type Omittable<Query> = object extends Query ? Query | undefined : Query;

/** What a call of an endpoint must say: path values, query and body. */
export type EndpointRequest<Name extends EndpointName> = Given<'pathParams', ParamsOf<Name>> &
  Given<'query', Omittable<QueryOf<Name>>> &
  Given<'body', BodyOf<Name>>;

/** Endpoints that give a page of records. */
export type ListName = {
  [Name in EndpointName]: (typeof endpoints)[Name] extends { readonly largestPage: number } ? Name : never;
}[EndpointName];

/** The record of a list. */
export type RecordOf<Name extends ListName> = ResponseOf<Name> extends { data: (infer Item)[] } ? Item : never;
