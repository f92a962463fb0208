import { isUtf8 } from 'node:buffer'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import type * as z from 'zod'
import type { Endpoint } from '@/lib/api-contract/endpoint'
import { explainSegment } from '@/lib/api-contract/path-segment'
import { attachOmissions, getOmissions, isRecord } from '@/lib/api-contract/record-fields'
import { parseIdentity } from '@/lib/domain/created-identity'
import { isSameId } from '@/lib/domain/ids'
import { parseReply } from '../http/parse-json'
import { describeJsonError, JsonError } from '../http/tolerant-json'
import { AppError } from '../runtime/app-error'
import type { HttpReply } from './http-request'
import * as m from '@/lib/messages/m'

/** Bytes of a reply, both over the wire and decoded. */
export const MAX_REPLY_BYTES = 8 * 1024 * 1024

export type ReplyContent = {
  /** Lower case, without parameters; null when the reply named none. */
  mediaType: string | null
  /** The parsed JSON; a string for plain text that isn't JSON; undefined for an empty body. */
  json: unknown
  text: string
}

const decoders = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
} as const

const jsonType = /^(?:application|text)\/(?:json|[\w.+-]+\+json)$/u
const charsets = /^(?:utf-?8|us-ascii)$/u

function refuse(detail: string, cause?: unknown): never {
  throw new AppError('upstream-bad-reply', { detail, written: true }, { cause })
}

function readFirst(value: string | string[] | undefined): string {
  return (Array.isArray(value) ? value[0] : value) ?? ''
}

/** Undoes a content coding, within the size limit, although none was requested. */
async function decode(body: Buffer, coding: string): Promise<Buffer> {
  if (coding === '' || coding === 'identity') return body
  const decoder = Object.entries(decoders).find(([name]) => name === coding)?.[1]
  if (!decoder) return refuse(m.refusals_replyIsEncodedAs({ coding: coding.slice(0, 40) }))
  return decoder(body, { maxOutputLength: MAX_REPLY_BYTES }).catch((cause: unknown) =>
    refuse(m.refusals_replyCouldNotBeDecoded(), cause),
  )
}

function readMediaType(contentType: string): string | null {
  const [type = '', ...parameters] = contentType
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
  const charset = parameters
    .find((parameter) => parameter.startsWith('charset='))
    ?.slice(8)
    .replaceAll('"', '')
  if (charset !== undefined && !charsets.test(charset))
    refuse(m.refusals_replyIsNotUtf8({ charset: charset.slice(0, 40) }))
  return type === '' ? null : type
}

type Redact = (text: string) => string

type JsonText = { text: string; mediaType: string | null; isLossy: boolean; redact: Redact }

function readJson({ text, mediaType, isLossy, redact }: JsonText): unknown {
  if (text.trim() === '') return undefined
  const mayBePlain = mediaType === null || mediaType === 'text/plain'
  try {
    return parseReply(text, { isLossy })
  } catch (error) {
    // Plain text is accepted as such, unless it starts like a record or list, which is then broken JSON.
    if (mayBePlain && !isLossy && !/^\s*[[{]/u.test(text)) return text
    const cause = error instanceof JsonError ? new JsonError(error.why, redact(error.field)) : error
    if (isLossy || !(cause instanceof JsonError))
      return refuse(
        m.jsonFaults_reply({ reason: isLossy ? m.jsonFaults_isNotUtf8() : m.jsonFaults_isNotJson() }),
        cause,
      )
    const reason = describeJsonError(cause)
    return refuse(
      cause.field === '' ? m.jsonFaults_reply({ reason }) : m.jsonFaults_replyField({ field: cause.field, reason }),
      cause,
    )
  }
}

/** Escapes by which JSON may spell a credential in a way that its text does not show: `\/` of PHP, `\u002b` of .NET. */
const hidingEscape = /\\[/u]/u

/** Redacts names and texts of a parsed value, in place. Numbers stay: one that happens to hold a credential is an amount or an id. */
function redactParsed(value: unknown, redact: Redact): unknown {
  if (typeof value === 'string') return redact(value)
  if (Array.isArray(value)) for (const [index, entry] of value.entries()) value[index] = redactParsed(entry, redact)
  else if (isRecord(value)) {
    for (const omission of getOmissions(value)) omission.field = redact(omission.field)
    for (const [name, member] of Object.entries(value)) {
      const clean = redact(name)
      if (clean !== name) Reflect.deleteProperty(value, name)
      value[clean] = redactParsed(member, redact)
    }
  }
  return value
}

/**
 * Reads the body of a reply: JSON in application/json, text/json, any +json, text/plain or no media type at all
 * (docs/upstream-api.md, section 4), in UTF-8 with or without a byte order mark. Anything else, and anything truncated,
 * is AppError 'upstream-bad-reply'. Faults within a record, including invalid UTF-8, are dropped or replaced and noted
 * there (`parseReply`). `redact` is applied to all text of it.
 */
export async function decodeReply(reply: HttpReply, redact: Redact): Promise<ReplyContent> {
  const { headers } = reply
  if (reply.body.length === 0) return { mediaType: null, json: undefined, text: '' }
  const mediaType = readMediaType(readFirst(headers['content-type']))
  if (mediaType !== null && mediaType !== 'text/plain' && !jsonType.test(mediaType)) {
    refuse(m.refusals_replyIsNotJson({ type: mediaType.slice(0, 40) }))
  }
  const body = await decode(reply.body, readFirst(headers['content-encoding']).trim().toLowerCase())
  if (body.length > MAX_REPLY_BYTES) refuse(m.refusals_replyTooLarge())
  const raw = body.toString('utf8').replace(/^\uFEFF/u, '')
  const text = redact(raw)
  const json = readJson({ text: raw, mediaType, isLossy: !isUtf8(body), redact })
  const isClean = text === raw && !hidingEscape.test(raw)
  return { mediaType, json: isClean ? json : redactParsed(json, redact), text }
}

/** Names under which services wrap the requested record. */
const envelopes = ['data', 'result', 'results', 'value', 'item', 'items', 'record']
const wrappers = [...envelopes, 'customer', 'mandate', 'agreement']
const MAX_UNWRAP_DEPTH = 3

/** The fields of a reply schema, which names all of them even for an empty record. */
function listFields(schema: z.ZodType): string[] {
  const read = schema.safeParse({})
  return read.success && typeof read.data === 'object' && read.data !== null ? Object.keys(read.data) : []
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0)
}

/** The requested record: its id or handle, and the names of its resource and of its documented fields, in lower case. */
type Wanted = { idOrHandle: string; resource: string; fields: readonly string[] }

function isRequested(json: unknown, { idOrHandle }: Wanted): boolean {
  const { id, handle } = parseIdentity(json)
  return isSameId(id, idOrHandle) || handle === idOrHandle
}

/**
 * The record with the requested id or handle in an envelope with names of its fields, such as `{ status: "success",
 * data: {…} }`. Null where the outer one is requested, or none within is.
 */
function findRequested(outer: Record<string, unknown>, wanted: Wanted, depth: number): unknown {
  if (isRequested(outer, wanted)) return null
  const within = Object.entries(outer)
    .filter(([name]) => [...envelopes, wanted.resource].includes(name.toLowerCase()))
    .map(([, value]) => unwrap(value, wanted, depth + 1))
    .filter((one) => isRequested(one, wanted))
  return within.length === 1 ? within[0] : null
}

/**
 * A record under the name of its resource beside some of its documented fields (`{ customer: {…}, mandates: […] }`), with
 * these and all else put in. Null if a plain documented value stands beside it, which may be the record's own.
 */
function mergeSiblings(outer: Record<string, unknown>, { resource, fields }: Wanted): Record<string, unknown> | null {
  const [wrapper, ...others] = Object.keys(outer).filter((name) => name.toLowerCase() === resource)
  const inner = wrapper === undefined ? null : outer[wrapper]
  const isPlain = ([name, value]: [string, unknown]) =>
    fields.includes(name.toLowerCase()) && value !== null && typeof value !== 'object'
  if (wrapper === undefined || others.length > 0 || !isRecord(inner) || Object.entries(outer).some(isPlain)) return null
  const own = Object.keys(inner).map((name) => name.toLowerCase())
  const siblings = Object.entries(outer).filter(([name]) => name !== wrapper && !own.includes(name.toLowerCase()))
  const merged = { ...Object.fromEntries(siblings), ...inner }
  const omissions = [
    ...getOmissions(inner),
    ...getOmissions(outer).filter(({ field }) => !`${field}.`.startsWith(`${wrapper}.`)),
  ]
  if (omissions.length > 0) attachOmissions(merged, omissions)
  return merged
}

function unwrap(json: unknown, wanted: Wanted, depth: number): unknown {
  if (isEmpty(json)) return null
  if (Array.isArray(json)) return json.length === 1 ? unwrap(json[0], wanted, depth) : json
  if (!isRecord(json) || depth >= MAX_UNWRAP_DEPTH) return json
  const members = Object.entries(json)
  if (members.some(([name]) => wanted.fields.includes(name.toLowerCase())))
    return mergeSiblings(json, wanted) ?? findRequested(json, wanted, depth) ?? json
  const named = members.filter(([name]) => wrappers.includes(name.toLowerCase()))
  const [found, ...others] = named.length > 0 ? named : members
  if (!found || others.length > 0) return json
  const [, inner] = found
  const isSingle = isRecord(inner) || (Array.isArray(inner) && inner.length === 1 && isRecord(inner[0]))
  if (isSingle) return unwrap(inner, wanted, depth + 1)
  return named.length > 0 && isEmpty(inner) ? null : json
}

/**
 * The single record in an endpoint's reply of undocumented shape: the reply itself, the only element of a list, or the
 * value under a usual name, or the only member, of a record with none of the schema's fields. The value under the
 * resource's own name also beside lists and records that are documented as its fields, and under a usual name whatever
 * stands beside it if it alone has the requested id or handle. Null when empty.
 */
export function unwrapRecord(
  json: unknown,
  { params, reply }: Pick<Endpoint, 'params' | 'reply'>,
  idOrHandle: string,
): unknown {
  const [resource = ''] = Object.keys(params).map((name) => name.replace(/IdOrHandle$/u, '').toLowerCase())
  return unwrap(json, { idOrHandle, resource, fields: listFields(reply).map((field) => field.toLowerCase()) }, 0)
}

/** The last segment of an address directly below `path`, whatever its host and base path; else null. */
function readBelow(path: string, location: string): string | null {
  if (!URL.canParse(location, 'http://service/')) return null
  const parts = new URL(location, 'http://service/').pathname.replace(/\/$/u, '').split('/')
  const last = parts.pop() ?? ''
  if (!parts.join('/').toLowerCase().endsWith(path.toLowerCase())) return null
  try {
    const segment = decodeURIComponent(last)
    return explainSegment(segment) === null ? segment : null
  } catch {
    return null
  }
}

/**
 * The reply to a creation, with the id of the new resource: when the body has none, it is taken from a `Location` below
 * the endpoint's path (RFC 9110 section 10.2.2).
 */
export function addCreatedId(endpoint: Endpoint, reply: unknown, location: string | undefined): unknown {
  if (endpoint.method !== 'POST' || location === undefined) return reply
  const { id, handle } = parseIdentity(reply)
  if (id !== null || handle !== null) return reply
  const named = readBelow(endpoint.path, location)
  if (named === null) return reply
  return typeof reply === 'object' && reply !== null && !Array.isArray(reply) ? { ...reply, id: named } : { id: named }
}
