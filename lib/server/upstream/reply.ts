import { isUtf8 } from 'node:buffer'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import type * as z from 'zod'
import type { Endpoint } from '@/lib/api-contract/endpoint'
import { explainSegment } from '@/lib/api-contract/path-segment'
import { attachOmissions, getOmissions, hasOmissions, isRecord } from '@/lib/api-contract/record-fields'
import { parseIdentity } from '@/lib/domain/created-identity'
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

/** Names under which services wrap the requested record, whatever it is. */
const envelopes = ['data', 'result', 'results', 'value', 'item', 'items', 'record']
const wrappers = [...envelopes, 'customer', 'mandate', 'agreement']
const MAX_UNWRAP_DEPTH = 3

/** The fields of a reply schema, which names all of them even for an empty record. */
function listFields(schema: z.ZodType): string[] {
  const read = schema.safeParse({})
  return read.success && typeof read.data === 'object' && read.data !== null ? Object.keys(read.data) : []
}

function isEmpty(value: unknown): boolean {
  if (isRecord(value)) return Object.keys(value).length === 0 && !hasOmissions(value)
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0)
}

/** The requested record: the name of its resource and of its documented fields, in lower case. */
type Wanted = { resource: string; fields: readonly string[] }

/** A record, or a list of one. */
function isSingle(value: unknown): boolean {
  return isRecord(value) || (Array.isArray(value) && value.length === 1 && isRecord(value[0]))
}

/** The only member that may hold the record: under the name of its resource, else any that holds one, else any at all. */
function findWrapper(outer: Record<string, unknown>, { resource }: Wanted): string | null {
  const named = Object.keys(outer).filter((name) => [...envelopes, resource].includes(name.toLowerCase()))
  const holding = named.filter((name) => isSingle(outer[name]))
  const own = holding.filter((name) => name.toLowerCase() === resource)
  const [wrapper, ...others] = [own, holding, named].find((names) => names.length > 0) ?? []
  return wrapper === undefined || others.length > 0 ? null : wrapper
}

/**
 * A record with what stands beside it in its envelope: all but the envelope's id and status where it is under the name of
 * its resource, and the id where it has neither id nor handle.
 */
function addSiblings(outer: Record<string, unknown>, wrapper: string, inner: Record<string, unknown>, isOwn: boolean) {
  const known = ['id', 'status', wrapper.toLowerCase(), ...Object.keys(inner).map((name) => name.toLowerCase())]
  const siblings = isOwn ? Object.entries(outer).filter(([name]) => !known.includes(name.toLowerCase())) : []
  const { id, handle } = parseIdentity(inner)
  const given = id === null && handle === null ? parseIdentity(outer).id : null
  const merged = { ...Object.fromEntries(siblings), ...inner, ...(given === null ? {} : { id: given }) }
  const beside = getOmissions(outer).filter(({ field }) => isOwn && !`${field}.`.startsWith(`${wrapper}.`))
  const omissions = [...getOmissions(inner), ...beside]
  if (omissions.length > 0) attachOmissions(merged, omissions)
  return merged
}

/**
 * The record in an envelope with documented names of its own, which are an id or status (`{ status: "success", data: {…} }`)
 * or, around the name of the resource, its lists and records (`{ customer: {…}, mandates: […] }`). `outer` itself if it may
 * be the record: another plain documented value stands there, or as much as within. Null if nothing is within.
 */
function openEnvelope(outer: Record<string, unknown>, wanted: Wanted, depth: number): unknown {
  const isDocumented = (name: string) => wanted.fields.includes(name.toLowerCase())
  const documented = Object.keys(outer).filter(isDocumented)
  const plain = documented.filter((name) => outer[name] !== null && typeof outer[name] !== 'object')
  const isEnvelopes = (name: string) => ['id', 'status'].includes(name.toLowerCase())
  const wrapper = findWrapper(outer, wanted)
  if (wrapper === null || !plain.every(isEnvelopes)) return outer
  const inner = unwrap(outer[wrapper], wanted, depth + 1)
  if (isEmpty(inner)) return documented.every(isEnvelopes) ? null : outer
  if (!isRecord(inner)) return outer
  const isOwn = wrapper.toLowerCase() === wanted.resource
  const beside = isOwn ? plain : documented
  const within = Object.keys(inner).filter((name) => inner[name] !== null && isDocumented(name))
  return beside.length > 0 && within.length <= beside.length ? outer : addSiblings(outer, wrapper, inner, isOwn)
}

function unwrap(json: unknown, wanted: Wanted, depth: number): unknown {
  if (isEmpty(json)) return null
  if (Array.isArray(json)) return json.length === 1 ? unwrap(json[0], wanted, depth) : json
  if (!isRecord(json) || depth >= MAX_UNWRAP_DEPTH) return json
  const members = Object.entries(json)
  if (members.some(([name]) => wanted.fields.includes(name.toLowerCase()))) {
    return openEnvelope(json, wanted, depth)
  }
  const named = members.filter(([name]) => wrappers.includes(name.toLowerCase()))
  const [found, ...others] = named.length > 0 ? named : members
  if (!found || others.length > 0) return json
  const [, inner] = found
  if (isSingle(inner)) return unwrap(inner, wanted, depth + 1)
  return named.length > 0 && isEmpty(inner) ? null : json
}

/**
 * The single record in an endpoint's reply of undocumented shape: the reply itself, the only element of a list, or the
 * value under a usual name, or the only member, of a record with none of the schema's fields, or of an envelope with some
 * (`openEnvelope`). Null when empty.
 */
export function unwrapRecord(json: unknown, { params, reply }: Pick<Endpoint, 'params' | 'reply'>): unknown {
  const [resource = ''] = Object.keys(params).map((name) => name.replace(/IdOrHandle$/u, '').toLowerCase())
  return unwrap(json, { resource, fields: listFields(reply).map((field) => field.toLowerCase()) }, 0)
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
