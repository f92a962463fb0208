import * as z from 'zod'
import { documentedRecords, documentedReplies } from '@/lib/api-contract/documented-records'
import type { Endpoint } from '@/lib/api-contract/endpoint'
import { endpoints } from '@/lib/api-contract/endpoints'
import { describeQuery, jsonSchemaOf, refTo } from '@/lib/api-contract/openapi-operation'
import type { Permission } from '@/lib/api-contract/permission'
import { stepUpEndpoints } from '../upstream/step-up-endpoints'
import { type DeskOperation, deskOperations } from './desk-operations'
import { deskReplies } from './documented-replies'

type JsonSchema = Record<string, unknown>

const description = `What scripts may call with an API token, which a person makes on their account page.

Send it as \`Authorization: Bearer dd_…\`. It acts for one merchant, in its person's name, with the role it was made with or
less. A token that is wrong, expired or revoked answers 401; a request beyond its role, or at any other address, 403; too
many requests a minute 429 with \`Retry-After\`. Every refusal is a problem record (RFC 9457).

Fields and states may be added: read tolerantly.`

const asJson = (schema: unknown) => ({ 'application/json': { schema } })

/** Records as the desk passes them on: any field may be null or missing, since it reads deployments tolerantly. */
function tolerate(schema: JsonSchema): JsonSchema {
  const { required: _, properties = {}, ...rest } = schema
  const nullable = Object.entries(properties as object).map(([name, property]) => [
    name,
    { anyOf: [property, { type: 'null' }] },
  ])
  return { ...rest, ...(nullable.length > 0 && { properties: Object.fromEntries(nullable) }) }
}

/** One page of a list (Page). */
const pageOf = (name: string) => ({
  type: 'object',
  required: ['results', 'unreadable', 'continuation'],
  properties: {
    results: { type: 'array', items: refTo(name) },
    unreadable: { type: 'integer', description: 'Entries that could not be read.' },
    continuation: {
      type: 'object',
      required: ['kind'],
      properties: {
        kind: { type: 'string', enum: ['more', 'end', 'incomplete'] },
        after: { type: 'string', description: 'With `more`: the `after` of the next page.' },
        reason: { type: 'string' },
      },
    },
  },
})

const refusals = [
  [400, 'What was sent is not valid; `errors` names the fields.'],
  [401, 'The token is not valid: it is wrong, expired or revoked, or its person has no access any more.'],
  [403, 'The token’s role does not allow this.'],
  [404, 'There is no such thing at the token’s merchant.'],
  [409, 'The state of things forbids it, such as a payment that can no longer be cancelled.'],
  [422, 'The key was used for another request, or the provider refused what was sent.'],
  [429, 'Too many requests.'],
  ['5XX', 'The desk or the provider failed; the `type` says which, and whether something may have been done.'],
] as const

function describeRefusals() {
  return Object.fromEntries(
    refusals.map(([status, about]) => [
      status,
      {
        description: about,
        ...(status === 401 && { headers: { 'WWW-Authenticate': { schema: { type: 'string' } } } }),
        ...(status === 429 && {
          headers: { 'Retry-After': { schema: { type: 'integer' }, description: 'Seconds to wait.' } },
        }),
        content: { 'application/problem+json': { schema: refTo('Problem') } },
      },
    ]),
  )
}

function describeParameters(place: 'path' | 'query', schemas: Record<string, unknown>) {
  return Object.entries(schemas).map(([name, schema]) => ({ name, in: place, required: place === 'path', schema }))
}

const toJsonSchemas = (schemas: Record<string, z.ZodType> = {}) =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, jsonSchemaOf(schema)]))

const notePermission = (permission: Permission) => `Needs the permission \`${permission}\`.`

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'A UUID. The same request with the same key is done once.',
  schema: { type: 'string', format: 'uuid' },
}

function describeContent(holds: DeskOperation['reply']['holds']) {
  if (holds === null) return {}
  if (holds === 'csv') return { content: { 'text/csv': { schema: { type: 'string' } } } }
  return { content: asJson(holds === 'json' ? { type: 'object' } : refTo(holds)) }
}

function describeDeskOperation(operation: DeskOperation) {
  const { id, summary, permission, params, query, body, takesKey, reply } = operation
  return {
    operationId: id,
    summary,
    description: notePermission(permission),
    tags: ['Debitdesk'],
    parameters: [
      ...describeParameters('path', toJsonSchemas(params)),
      ...describeParameters('query', toJsonSchemas(query)),
      ...(takesKey ? [idempotencyKey] : []),
    ],
    ...(body && { requestBody: { required: true, content: asJson(jsonSchemaOf(body)) } }),
    responses: { [reply.status]: { description: 'Done.', ...describeContent(reply.holds) }, ...describeRefusals() },
  }
}

function describeServiceReply({ id, method }: Endpoint): [status: number, schema: unknown] {
  if (id === 'cancelPayment') return [202, refTo('Cancellation')]
  const [{ holds, as } = { holds: undefined, as: undefined }] = Object.values(documentedReplies[id])
  const record = holds && holds !== 'text' && as !== 'array' ? (as === 'page' ? pageOf(holds) : refTo(holds)) : {}
  if (method === 'GET') return [200, record]
  const properties = { status: { type: 'integer', description: 'The provider’s.' }, reply: record }
  return [200, { type: 'object', required: ['status'], properties }]
}

function describeServiceOperation(endpoint: Endpoint, names: readonly string[]) {
  const { id, method, summary, permission, params, query, body } = endpoint
  const inPath = Object.values(params).map((schema, index) => [names[index] ?? '', jsonSchemaOf(schema)])
  const [status, schema] = describeServiceReply(endpoint)
  return {
    operationId: id,
    summary,
    description: notePermission(permission),
    tags: ['Provider'],
    parameters: [
      ...describeParameters('path', Object.fromEntries(inPath)),
      ...describeParameters('query', query ? describeQuery() : {}),
      ...(method === 'GET' ? [] : [idempotencyKey]),
    ],
    ...(body && { requestBody: { required: true, content: asJson(jsonSchemaOf(body)) } }),
    responses: { [status]: { description: 'Done.', content: asJson(schema) }, ...describeRefusals() },
  }
}

type Paths = Record<string, Record<string, unknown>>

/** The documented endpoints that accept tokens, by path; those that differ in a parameter's name alone share one. */
function describeServicePaths(): Paths {
  const paths: Paths = {}
  const templates = new Map<string, string>()
  for (const endpoint of Object.values<Endpoint>(endpoints)) {
    if (stepUpEndpoints.includes(endpoint.id)) continue
    const erased = endpoint.path.replaceAll(/\{\w+\}/gu, '{}')
    const path = templates.get(erased) ?? endpoint.path
    templates.set(erased, path)
    const names = [...path.matchAll(/\{(\w+)\}/gu)].map(([, name]) => name ?? '')
    const address = `/api/service${path === '/' ? '' : path}`
    paths[address] = {
      ...paths[address],
      [endpoint.method.toLowerCase()]: describeServiceOperation(endpoint, names),
    }
  }
  return paths
}

function describeDeskPaths(): Paths {
  const paths: Paths = {}
  for (const operation of deskOperations) {
    const address = `/api/desk${operation.path}`
    paths[address] = { ...paths[address], [operation.method]: describeDeskOperation(operation) }
  }
  return paths
}

/** What scripts may call with a token, as an OpenAPI 3.1 document from the schemas with which requests are read. */
export function makeScriptsOpenapi() {
  const records = Object.entries<z.ZodType>(documentedRecords).map(([name, schema]) => [
    name,
    tolerate(jsonSchemaOf(schema)),
  ])
  return {
    openapi: '3.1.0',
    info: { title: 'Debitdesk for scripts', version: '1.0', description },
    servers: [{ url: '/' }],
    security: [{ token: [] }],
    paths: { ...describeServicePaths(), ...describeDeskPaths() },
    components: {
      schemas: { ...Object.fromEntries(records), ...toJsonSchemas(deskReplies) },
      securitySchemes: { token: { type: 'http', scheme: 'bearer', bearerFormat: 'dd_…' } },
    },
  }
}
