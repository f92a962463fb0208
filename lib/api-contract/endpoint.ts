import type * as z from 'zod'
import { addresses, type EndpointId, type PathParameter } from './addresses'
import type { Permission } from './permission'

type PathOf<Id extends EndpointId> = (typeof addresses)[Id]['path']
type ParamsShape<Id extends EndpointId> = Record<PathParameter<PathOf<Id>>, z.ZodType<string>>

type Definition<Id extends EndpointId, Query, Body, Reply> = {
  id: Id
  /** One sentence, shown on the reference page and in the OpenAPI document. */
  summary: string
  permission: Permission
  /** One schema per path parameter; missing or extra names do not compile. */
  params: ParamsShape<Id>
  /** Strict schema of the query. Absent: the endpoint takes none. */
  query?: Query
  /** Strict schema of the body. Absent: the endpoint takes none. */
  body?: Body
  /** Tolerant schema of a success reply. */
  reply: Reply
  /** What the interface leaves open here and what we decided, for readers of the reference. */
  decisions?: readonly string[]
}

/** One endpoint of the API as data. */
export type Endpoint<
  Id extends EndpointId = EndpointId,
  Query extends z.ZodType | undefined = z.ZodType | undefined,
  Body extends z.ZodType | undefined = z.ZodType | undefined,
  Reply extends z.ZodType = z.ZodType,
> = {
  id: Id
  method: (typeof addresses)[Id]['method']
  path: `/${string}`
  summary: string
  permission: Permission
  params: Record<string, z.ZodType<string>>
  query: Query
  body: Body
  reply: Reply
  decisions: readonly string[]
}

/**
 * Defines an endpoint of the contract. Its address comes from `addresses`, so that an unknown id or a parameter that
 * the path does not name fails to compile. Source: docs/upstream-api.md, section 4.
 */
export function defineEndpoint<
  const Id extends EndpointId,
  Reply extends z.ZodType,
  Query extends z.ZodType | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
>(definition: Definition<Id, Query, Body, Reply>): Endpoint<Id, Query, Body, Reply> {
  const { method, path } = addresses[definition.id]
  return {
    ...definition,
    method,
    path,
    query: definition.query as Query,
    body: definition.body as Body,
    decisions: definition.decisions ?? [],
  }
}
