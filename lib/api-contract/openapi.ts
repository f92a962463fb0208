import * as z from 'zod'
import { documentedRecords, documentedReplies } from './documented-records'
import type { Endpoint } from './endpoint'
import { endpoints } from './endpoints'
import { describeOperation, jsonSchemaOf, type OpenapiProblem, pageSchemaOf, refTo } from './openapi-operation'

/**
 * Decisions on what the interface leaves open for all endpoints, as Markdown by heading: the description of the OpenAPI
 * document. Decisions on one endpoint are in its `decisions`.
 */
export const apiNotes: Readonly<Record<string, readonly string[]>> = {
  Authentication: [
    'HTTP Basic: the token is the user name, the password is empty. `GET /` and `GET /openapi.json` need no credential.',
    "A credential belongs to one merchant. Another merchant's resource answers exactly as one that does not exist. Only an ISV credential may create merchants: others get 403.",
  ],
  'Ids and handles': [
    'An id is a UUID, in any case. A handle is a prefix (`cu_`, `md_`, `am_`, `pm_`, `me_`) and 16 random characters, so it is never mistaken for an id or for a word of a path. Where either may stand, an id wins.',
    'A value that holds a character which a path could read as structure, or that is a word of a path, is refused with 400.',
  ],
  States: [
    'Payments: Pending when created; Scheduled once handed to the scheme, from when they can no longer be cancelled; Settled or Rejected when processed; Chargeback when the payer disputes a settled one; Cancelled some time after a cancellation was accepted.',
    'Mandates: Created, Active, Cancelled, Expired (`state` in the summary inside a customer, `status` elsewhere). Agreements: Pending, Active. Clients must bear states that are not named here.',
  ],
  'Money, dates and text': [
    'Amounts are whole numbers in minor units of their currency (ISO 4217). Timestamps are UTC; paymentDate, scheduleDate and settlementDate are days, written as midnight UTC. settlementDate is null until there is one.',
    'country and number are free text, scheme is a word that is stored in lower case, schemeData and metaData are free-form JSON objects of at most 20 levels and 500 keys, without keys named `__proto__`, `constructor` or `prototype`, without a key twice in one object, and without a number whose double is another whole number, such as 9007199254740993; of a fraction the nearest double is kept.',
    'Lengths are counted in UTF-16 code units, after white space around a name or scheme is taken off. Text with a NUL or with half a surrogate pair is refused.',
  ],
  Bodies: [
    'Property names are matched without regard to case; one that is not known, or that stands twice, is refused. A body has at most 1,048,576 bytes and 32 levels, is UTF-8 and is not compressed.',
    'Replies are application/json, text/json or text/plain, as Accept asks; refusals also application/problem+json where asked for by name. The text is JSON in each.',
  ],
  'Filters and orders': [
    "`filter` takes conditions joined by `and`, `or` and parentheses; `and` binds stronger. A condition is `field op value` with `eq ne gt ge lt le`, or `contains(field,'text')` on a text field. Texts stand in single quotes (one inside is doubled), dates are `2026-11-01` or `2026-11-01T00:00:00Z`, numbers and `true`/`false` stand as they are. Example: `status eq 'Pending' and scheduleDate ge 2026-11-01 and contains(customer/name,'ann')`.",
    'Text is compared without regard to case and to how accents are composed, but a handle equals only what is spelled like it. `x-filter-fields` of an operation names the fields and what they hold: text, keyword, number, boolean, moment or uuid (the last two words: boolean and uuid know `eq` and `ne` only).',
    '`orderby` takes up to four fields, each with an optional `asc` or `desc`: `scheduleDate desc,amount`. Without it the newest come first. A field that is null comes last, or first with `desc`.',
    '`after` takes the nextOffset of the page before, with the same filter and order; anything else is 400. In an order by createdAt or id, which never change, no row is lost or doubled while others come, change or go between pages; in other orders a row that moves may be seen twice or not at all. The last page has hasMore false and nextOffset null.',
    'What is not understood answers 400 with `position` and `expected`.',
  ],
  Idempotency: [
    'POST, PUT and DELETE take an `Idempotency-Key` of 1 to 255 visible ASCII characters, best a UUID. The same key with the same request changes nothing and gets the stored answer again, with `Idempotency-Replayed: true`; a success is then 208. The same key with another request is 422.',
  ],
  'Errors and limits': [
    'Every refusal is a problem record. Values that are not valid answer 400 with `errors` by field; what does not exist 404; what the state of things forbids 409. 500 has a problem record too, which tells nothing of the inside.',
    'Who asks too often (6,000 requests a minute and credential, unless the operator says otherwise) gets 429 with Retry-After in seconds. So does an address that sends many wrong credentials (100 a minute), but never for a right one.',
    'A part of the path has at most 1,000 characters (414), path and headers together at most 16 KB (431). A path answers HEAD where it answers GET, and 405 with Allow to what it does not know.',
  ],
  Events: [
    'A change of state is posted to each subscribed address as JSON: objectType, eventType, timeStamp, data. It is signed as Standard Webhooks does: `webhook-id`, `webhook-timestamp`, `webhook-signature`, with the secret that subscribing told.',
    'Any 2xx takes it; all else, redirects too, is tried again, ten times within three days and a half. An event may come twice (the same `webhook-id`) and in any order.',
  ],
  Versioning: [
    'This is version 1.0; paths carry no version. Fields and states may be added: read tolerantly. What is documented here stays.',
  ],
}

/** An OpenAPI 3.1 document, with the members that are read here. */
export type OpenapiDocument = {
  openapi: string
  info: { title: string; version: string; description: string }
  paths: Record<string, Record<string, unknown>>
  components: { schemas: Record<string, unknown>; securitySchemes: Record<string, unknown> }
  [member: string]: unknown
}

const allEndpoints: readonly Endpoint[] = Object.values(endpoints)

/** Names of the body schemas in the document, by endpoint. Endpoints with the same schema share one. */
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
  const records = Object.entries<z.ZodType>({
    ...documentedRecords,
    Problem: documentedRecords.Problem.extend(known),
  }).map(([name, schema]) => [name, jsonSchemaOf(schema)])
  const pages = Object.values(documentedReplies)
    .flatMap((replies) => Object.values(replies))
    .flatMap(({ holds, as }) => (as === 'page' && holds ? [[`${holds}Page`, pageSchemaOf(holds)]] : []))
  const inputs = allEndpoints.flatMap(({ id, body }) => (body ? [[inputNames[id] ?? id, jsonSchemaOf(body)]] : []))
  return Object.fromEntries([...records, ...pages, ...inputs])
}

/**
 * Endpoints by path template. Documented paths that differ only in their parameter names, which OpenAPI forbids, share
 * the template of the first.
 */
function groupByPath(): Map<string, Endpoint[]> {
  const templates = new Map<string, string>()
  const groups = new Map<string, Endpoint[]>()
  for (const endpoint of allEndpoints) {
    const erased = endpoint.path.replaceAll(/\{\w+\}/gu, '{}')
    const path = templates.get(erased) ?? endpoint.path
    templates.set(erased, path)
    groups.set(path, [...(groups.get(path) ?? []), endpoint])
  }
  return groups
}

function describeCatalogue(problems: readonly OpenapiProblem[]): string {
  const rows = problems.map(({ type, status, title }) => `| ${status} | \`${type}\` | ${title} |`)
  return rows.length === 0 ? '' : `\n\n## Problems\n\n| status | type | title |\n|---|---|---|\n${rows.join('\n')}`
}

const signatureHeaders = ['webhook-id', 'webhook-timestamp', 'webhook-signature']

/** A webhook delivery as an OpenAPI operation. */
function describeEvent() {
  return {
    operationId: 'receiveEvent',
    summary: 'A change of state, posted to each subscribed address.',
    security: [],
    parameters: signatureHeaders.map((name) => ({ name, in: 'header', required: true, schema: { type: 'string' } })),
    requestBody: { required: true, content: { 'application/json': { schema: refTo('Event') } } },
    responses: { '2XX': { description: 'Taken; anything else is tried again.' } },
  }
}

/**
 * The API as an OpenAPI 3.1 document, generated from the contract: addresses, bodies and decisions from the endpoints,
 * replies from `documentedRecords`. `problems` is the problem catalogue of the service that serves the document; each
 * endpoint lists those of its statuses.
 */
export function makeOpenapi(problems: readonly OpenapiProblem[] = []): OpenapiDocument {
  const notes = Object.entries(apiNotes).map(([heading, texts]) => `## ${heading}\n\n${texts.join('\n\n')}`)
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
