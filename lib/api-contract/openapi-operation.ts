import * as z from 'zod'
import { documentedReplies, type DocumentedReply } from './documented-records'
import type { Endpoint } from './endpoint'
import { filterFields } from './filter'
import { listQuery } from './pagination'

type JsonSchema = Record<string, unknown>

/**
 * The input side of a zod schema (before transforms) as JSON Schema 2020-12. Omits the pattern that zod adds to each
 * format, and the recursive definition of free-form values, which may be any JSON.
 */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const {
    $schema: _dialect,
    $defs: _recursive,
    ...written
  } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema }) => {
      if (jsonSchema.format) delete jsonSchema.pattern
      if (jsonSchema.propertyNames) {
        delete jsonSchema.propertyNames
        const values = jsonSchema.additionalProperties
        if (typeof values === 'object' && values.$ref) jsonSchema.additionalProperties = true
      }
    },
  })
  return written
}

export function refTo(name: string): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` }
}

/** The pagination container (docs/upstream-api.md, section 2) around a record. */
export function pageSchemaOf(name: string): JsonSchema {
  return {
    type: 'object',
    required: ['results', 'nextOffset', 'hasMore'],
    properties: {
      results: { type: 'array', items: refTo(name), maxItems: 100 },
      nextOffset: { type: ['string', 'null'], description: 'Opaque: the `after` of the next page.' },
      hasMore: { type: 'boolean' },
    },
  }
}

/** One entry of a service's problem catalogue; `type` is the one in problem records. */
export type OpenapiProblem = { type: string; status: number; title: string }

const bodyTypes = ['application/json', 'text/json', 'application/*+json'] as const
const replyTypes = ['application/json', 'text/json', 'text/plain'] as const

/** Endpoints that can answer 409 for the state of a resource. */
const conflicting: readonly string[] = ['deleteCustomer', 'deleteAgreement', 'subscribeWebhook', 'cancelPayment']

const header = (description: string) => ({ schema: { type: 'string' }, description })

const content = (types: readonly string[], schema: unknown) =>
  Object.fromEntries(types.map((type) => [type, { schema }]))

/** The error statuses of an endpoint (docs/upstream-api.md, section 7; 400, 404, 409, 413, 414, 415, 422 and 503 are decisions). */
function refusalsOf({ id, method, params, query, body }: Endpoint): number[] {
  if (id === 'getStatus') return [500, 503]
  const writes = method !== 'GET'
  const addressed = Object.keys(params).length > 0
  return [
    ...(addressed || query || writes ? [400] : []),
    401,
    403,
    ...(addressed ? [404] : []),
    ...(body ? [408] : []),
    ...(conflicting.includes(id) ? [409] : []),
    ...(writes ? [413] : []),
    ...(addressed ? [414] : []),
    ...(body ? [415] : []),
    ...(writes ? [422] : []),
    429,
    500,
    503,
  ]
}

const refusalHeaders: Record<number, Record<string, unknown>> = {
  401: { 'WWW-Authenticate': header('Basic, with the realm.') },
  429: { 'Retry-After': header('Seconds to wait.') },
}

function describeRefusal(status: number, problems: readonly OpenapiProblem[]) {
  const titles = problems.filter((problem) => problem.status === status).map(({ title }) => title)
  return {
    description: titles.length > 0 ? `${titles.join('; ')}.` : 'Refused.',
    ...(refusalHeaders[status] ? { headers: refusalHeaders[status] } : {}),
    content: content([...replyTypes, 'application/problem+json'], refTo('Problem')),
  }
}

function describeContent({ holds, as }: DocumentedReply): Record<string, unknown> {
  if (!holds) return {}
  if (holds === 'text') return { content: content(['text/plain'], { type: 'string' }) }
  if (as === 'page') return { content: content(replyTypes, refTo(`${holds}Page`)) }
  return { content: content(replyTypes, as === 'array' ? { type: 'array', items: refTo(holds) } : refTo(holds)) }
}

function describeReply(reply: DocumentedReply) {
  return {
    description: reply.description,
    ...(reply.location ? { headers: { Location: header('Where it is.') } } : {}),
    ...describeContent(reply),
  }
}

/** Records that contain a secret once, and the same record without it. */
const withoutSecret: Readonly<Record<string, string>> = { MerchantCreated: 'Merchant', WebhookCreated: 'Webhook' }

/** The reply to a replayed write: the first reply's body without its one-time secret. */
function describeReplay(replies: readonly DocumentedReply[]) {
  const names = replies.flatMap(({ holds }) => (holds && holds !== 'text' ? [holds] : []))
  const schemas = names.map((name) => refTo(withoutSecret[name] ?? name))
  return {
    description: 'The stored answer to the first request with this Idempotency-Key.',
    headers: { 'Idempotency-Replayed': header('true') },
    ...(schemas.length > 0
      ? { content: content(replyTypes, schemas.length > 1 ? { anyOf: schemas } : schemas[0]) }
      : {}),
  }
}

/**
 * JSON Schemas of a list's query parameters. The zod schema of `limit` takes text, so its documented type and bounds
 * (docs/upstream-api.md, section 4) are given here.
 */
export function describeQuery(): Record<string, unknown> {
  const limit = { type: 'integer', format: 'int32', minimum: 1, maximum: 100, default: 20 }
  return Object.fromEntries(
    Object.entries(listQuery.shape).map(([name, schema]) => [name, name === 'limit' ? limit : jsonSchemaOf(schema)]),
  )
}

function describeParameters({ id, method, params, query }: Endpoint, path: string): unknown[] {
  const names = [...path.matchAll(/\{(\w+)\}/gu)].map(([, name]) => name ?? '')
  const inPath = Object.values(params).map((schema, index) => ({
    name: names[index],
    in: 'path',
    required: true,
    schema: jsonSchemaOf(schema),
  }))
  const inQuery = query
    ? Object.entries(describeQuery()).map(([name, schema]) => ({ name, in: 'query', required: false, schema }))
    : []
  const key = { type: 'string', pattern: '^[!-~]{1,255}$' }
  const inHeader = method === 'GET' ? [] : [{ name: 'Idempotency-Key', in: 'header', required: false, schema: key }]
  const prefer = { name: 'Prefer', in: 'header', required: false, schema: { type: 'string' }, example: 'new-secret' }
  return [...inPath, ...inQuery, ...inHeader, ...(id === 'subscribeWebhook' ? [prefer] : [])]
}

/** An endpoint as an OpenAPI operation under `path`, whose parameter names may differ from the documented ones. */
export function describeOperation(
  endpoint: Endpoint,
  { path, problems, input }: { path: string; problems: readonly OpenapiProblem[]; input: string | undefined },
) {
  const { id, method, summary, decisions, body } = endpoint
  const replies = Object.entries(documentedReplies[id])
  const renamed = path === endpoint.path ? [] : [`The interface writes this path \`${endpoint.path}\`.`]
  const refusals = refusalsOf(endpoint).map((status) => [String(status), describeRefusal(status, problems)])
  return {
    operationId: id,
    summary,
    description: [...renamed, ...decisions].join('\n\n') || summary,
    tags: [endpoint.path.split('/')[1] || 'Provider'],
    ...(id === 'getStatus' ? { security: [] } : {}),
    ...(Object.hasOwn(filterFields, id)
      ? { 'x-filter-fields': Object.entries(filterFields).find(([name]) => name === id)?.[1] }
      : {}),
    parameters: describeParameters(endpoint, path),
    ...(body && input ? { requestBody: { required: true, content: content(bodyTypes, refTo(input)) } } : {}),
    responses: Object.fromEntries([
      ...replies.map(([status, reply]) => [status, describeReply(reply)]),
      ...(method === 'GET' ? [] : [['208', describeReplay(replies.map(([, reply]) => reply))]]),
      ...refusals,
    ]),
  }
}
