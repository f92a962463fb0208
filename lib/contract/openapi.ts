import * as z from 'zod'
import { documented } from './documented'
import { documentedReplies } from './documented-replies'
import { describeOperation, type OpenapiProblem } from './describe-operation'
import type { Endpoint } from './endpoint'
import { endpoints } from './endpoints'
import { interfaceNotes } from './interface-notes'
import { jsonSchemaOf, pageOf, refTo } from './json-schema'

/** An OpenAPI 3.1 document, as far as its readers here need to know its shape. */
export type OpenapiDocument = {
  openapi: string
  info: { title: string; version: string; description: string }
  paths: Record<string, Record<string, unknown>>
  components: { schemas: Record<string, unknown>; securitySchemes: Record<string, unknown> }
  [member: string]: unknown
}

const described: readonly Endpoint[] = Object.values(endpoints)

/** Body schemas by the name they have in the document. Endpoints of one schema share it. */
const inputNames: Record<string, string> = {
  createCustomer: 'CustomerInput',
  updateCustomer: 'CustomerUpdate',
  createMerchant: 'MerchantInput',
  createAgreement: 'AgreementInput',
  subscribeWebhook: 'WebhookInput',
  unsubscribeWebhook: 'WebhookInput',
  cancelPayment: 'PaymentCancellation',
}

function makeSchemas(problems: readonly OpenapiProblem[]): Record<string, unknown> {
  const known = problems.length > 0 ? { type: z.enum(problems.map(({ type }) => type)) } : {}
  const records = Object.entries<z.ZodType>({ ...documented, Problem: documented.Problem.extend(known) }).map(
    ([name, schema]) => [name, jsonSchemaOf(schema)],
  )
  const pages = Object.values(documentedReplies)
    .flatMap((replies) => Object.values(replies))
    .flatMap(({ holds, as }) => (as === 'page' && holds ? [[`${holds}Page`, pageOf(holds)]] : []))
  const inputs = described.flatMap(({ id, body }) => (body ? [[inputNames[id] ?? id, jsonSchemaOf(body)]] : []))
  return Object.fromEntries([...records, ...pages, ...inputs])
}

/**
 * Two documented paths may differ in the names of their parameters alone, which OpenAPI forbids: they share
 * the item and the name of the first. Answers path template → its endpoints.
 */
function groupByPath(): Map<string, Endpoint[]> {
  const spelling = new Map<string, string>()
  const groups = new Map<string, Endpoint[]>()
  for (const endpoint of described) {
    const erased = endpoint.path.replaceAll(/\{\w+\}/gu, '{}')
    const path = spelling.get(erased) ?? endpoint.path
    spelling.set(erased, path)
    groups.set(path, [...(groups.get(path) ?? []), endpoint])
  }
  return groups
}

function describeCatalogue(problems: readonly OpenapiProblem[]): string {
  const rows = problems.map(({ type, status, title }) => `| ${status} | \`${type}\` | ${title} |`)
  return rows.length === 0 ? '' : `\n\n## Problems\n\n| status | type | title |\n|---|---|---|\n${rows.join('\n')}`
}

const signed = ['webhook-id', 'webhook-timestamp', 'webhook-signature']

/** What a subscriber receives, as an OpenAPI operation. */
function describeEvent() {
  return {
    operationId: 'receiveEvent',
    summary: 'A change of state, posted to each subscribed address.',
    security: [],
    parameters: signed.map((name) => ({ name, in: 'header', required: true, schema: { type: 'string' } })),
    requestBody: { required: true, content: { 'application/json': { schema: refTo('Event') } } },
    responses: { '2XX': { description: 'Taken; anything else is tried again.' } },
  }
}

/**
 * The interface as an OpenAPI 3.1 document, made from the contract: addresses, bodies and decisions from the
 * endpoints, replies from `documented`. `problems` is the catalogue of the service that serves it (`type` as
 * it stands in records); each endpoint lists those of its statuses.
 */
export function makeOpenapi(problems: readonly OpenapiProblem[] = []): OpenapiDocument {
  const notes = Object.entries(interfaceNotes).map(([heading, texts]) => `## ${heading}\n\n${texts.join('\n\n')}`)
  const paths = [...groupByPath()].map(([path, group]) => [
    path,
    Object.fromEntries(
      group.map((endpoint) => [
        endpoint.method.toLowerCase(),
        describeOperation(endpoint, { path, problems, input: inputNames[endpoint.id] }),
      ]),
    ),
  ])
  return {
    openapi: '3.1.0',
    info: {
      title: 'Direct-debit service',
      version: '1.0',
      description: `Customers, mandates, merchants, agreements, webhooks and payments of direct debit.\n\n${notes.join('\n\n')}${describeCatalogue(problems)}`,
    },
    servers: [{ url: '/' }],
    security: [{ token: [] }],
    paths: Object.fromEntries(paths),
    webhooks: { event: { post: describeEvent() } },
    components: {
      schemas: makeSchemas(problems),
      securitySchemes: {
        token: { type: 'http', scheme: 'basic', description: 'The token as user name, an empty password.' },
      },
    },
  }
}
