import { Agent, request } from 'node:http'
import addFormats from 'ajv-formats'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { JsonSchema, OpenDocument, Operation } from './openapi-document'

export type RawReply = { status: number; headers: Record<string, string | string[] | undefined>; text: string }

export type RawRequest = {
  method: string
  /** Sent without normalization. */
  path: string
  headers: Record<string, string>
  body: Buffer | null
}

/** Creates a sender of raw requests, including ones that an ordinary client would refuse to send. */
export function makeSender(url: string): { send: (raw: RawRequest) => Promise<RawReply>; close: () => void } {
  const { hostname, port } = new URL(url)
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  const send = ({ method, path, headers, body }: RawRequest) =>
    new Promise<RawReply>((resolve, reject) => {
      const length = body ? { 'content-length': String(body.length) } : {}
      const sent = request({ hostname, port, agent, method, path, headers: { ...headers, ...length } }, (reply) => {
        const chunks: Buffer[] = []
        reply.on('data', (chunk: Buffer) => chunks.push(chunk))
        reply.on('error', reject)
        reply.on('end', () =>
          resolve({
            status: reply.statusCode ?? 0,
            headers: reply.headers,
            text: Buffer.concat(chunks).toString('utf8'),
          }),
        )
      })
      sent.on('error', reject)
      sent.end(body ?? undefined)
    })
  return { send, close: () => agent.destroy() }
}

/** Forbids undocumented members, which the document allows but our own replies never have. */
function closeObjects(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closeObjects)
  if (typeof value !== 'object' || value === null) return value
  const closed = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, closeObjects(inner)]))
  return 'properties' in closed && !('additionalProperties' in closed)
    ? { ...closed, additionalProperties: false }
    : closed
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`The reply is no JSON: ${text.slice(0, 200)}`)
  }
}

/**
 * Creates a check of replies against the document: the operation must document the status, its headers must be present,
 * its media type documented, and its body valid without undocumented members. Throws otherwise.
 */
export function makeChecker({ schemas }: OpenDocument): (operation: Operation, reply: RawReply) => void {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'document:', components: { schemas: closeObjects(schemas) } })
  const compiled = new Map<JsonSchema, ValidateFunction>()
  const validatorOf = (schema: JsonSchema): ValidateFunction => {
    const known = compiled.get(schema)
    if (known) return known
    const made = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"document:#/components')))
    compiled.set(schema, made)
    return made
  }

  return (operation, { status, headers, text }) => {
    const described = operation.responses[status]
    if (!described) throw new Error(`${status} is not documented: ${text.slice(0, 300)}`)
    for (const name of Object.keys(described.headers ?? {})) {
      if (headers[name.toLowerCase()] === undefined) throw new Error(`${status} came without ${name}`)
    }
    if (!described.content) {
      if (text !== '') throw new Error(`${status} is documented without a body but has one: ${text.slice(0, 200)}`)
      return
    }
    const type = String(headers['content-type'] ?? '').split(';', 1)[0] ?? ''
    const schema = described.content[type]?.schema
    if (!schema) throw new Error(`${status} is not documented as ${type || 'a reply without a type'}`)
    const validate = validatorOf(schema)
    const value: unknown = schema.type === 'string' ? text : parse(text)
    if (!validate(value))
      throw new Error(`${status} is not as documented: ${ajv.errorsText(validate.errors)} in ${text.slice(0, 500)}`)
  }
}
