import type * as z from 'zod'
import { addresses, type EndpointId, type PathParameter } from './addresses'
import type { Permission } from './permission'

/** What the OpenAPI document says of a text that must hold more than white space: zod checks it where JSON Schema cannot look. */
export const notBlank = { pattern: String.raw`\S` }

type PathOf<Id extends EndpointId> = (typeof addresses)[Id]['path']
type ParamsShape<Id extends EndpointId> = Record<PathParameter<PathOf<Id>>, z.ZodType<string>>

type Definition<Id extends EndpointId, Query, Body, Reply> = {
  id: Id
  /** One sentence for people: the reference page and the OpenAPI document show it. */
  summary: string
  permission: Permission
  /** One schema per path parameter; missing or extra names do not compile. */
  params: ParamsShape<Id>
  /** Strict: what may be sent as a query. Absent means the endpoint takes none. */
  query?: Query
  /** Strict: what may be sent as a body. Absent means the endpoint takes none. */
  body?: Body
  /** Tolerant: what is read from a success reply. */
  reply: Reply
  /** What the interface leaves open here and what was decided, as told to readers. */
  decisions?: readonly string[]
}

/** One endpoint of the interface as data. */
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
 * Makes a contract entry: the address comes from `addresses`, so an id without an address, or a
 * parameter that the path does not name, does not compile. Source: docs/upstream-api.md, section 4.
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
