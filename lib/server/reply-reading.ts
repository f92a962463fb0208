import { isUtf8 } from 'node:buffer'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import type { RawReply } from './exchange'
import { Failure } from './failure'
import * as words from '@/lib/words/json-faults'
import { describeJsonFault, JsonFault } from './json-rules'
import { parseReply } from './parse-json'

/** The most bytes of a reply that are read, over the wire and decoded. */
export const replyLimit = 8 * 1024 * 1024

export type ReplyContent = {
  /** Lower case, without parameters; null when the reply named none. */
  mediaType: string | null
  /** What the JSON said; plain text that is not JSON is a string; undefined for a reply without a body. */
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
  throw new Failure('upstream-bad-reply', { detail, written: true }, { cause })
}

function readFirst(value: string | string[] | undefined): string {
  return (Array.isArray(value) ? value[0] : value) ?? ''
}

/** We ask for no coding, but one that is applied all the same is undone, within the same limit. */
async function decode(body: Buffer, coding: string): Promise<Buffer> {
  if (coding === '' || coding === 'identity') return body
  const decoder = Object.entries(decoders).find(([name]) => name === coding)?.[1]
  if (!decoder) return refuse(`The reply is coded as ${coding.slice(0, 40)}.`)
  return decoder(body, { maxOutputLength: replyLimit }).catch((cause: unknown) =>
    refuse('The reply could not be decoded.', cause),
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
  if (charset !== undefined && !charsets.test(charset)) refuse(`The reply is written in ${charset.slice(0, 40)}.`)
  return type === '' ? null : type
}

function readJson(text: string, mediaType: string | null, isLossy: boolean): unknown {
  if (text.trim() === '') return undefined
  const mayBePlain = mediaType === null || mediaType === 'text/plain'
  try {
    return parseReply(text, { isLossy })
  } catch (cause) {
    // Plain text may be just that; but what begins as a record or a list and does not end as one is broken.
    if (mayBePlain && !isLossy && !/^\s*[[{]/u.test(text)) return text
    if (isLossy || !(cause instanceof JsonFault))
      return refuse(words.reply(isLossy ? words.isNotUtf8 : words.isNotJson), cause)
    const reason = describeJsonFault(cause)
    return refuse(cause.field === '' ? words.reply(reason) : words.replyField(cause.field, reason), cause)
  }
}

/**
 * Reads the body of a reply: JSON in application/json, text/json, any +json, text/plain or no media type
 * at all (docs/upstream-api.md, section 4), in UTF-8 with or without a byte order mark. Everything else, and
 * everything cut short, is Failure 'upstream-bad-reply': never part of the data. What is wrong within a record, bytes
 * that are not UTF-8 too, is left out or replaced and noted there (`parseReply`). `redact` sees the text
 * before anything else does.
 */
export async function readReply(reply: RawReply, redact: (text: string) => string): Promise<ReplyContent> {
  const { headers } = reply
  if (reply.body.length === 0) return { mediaType: null, json: undefined, text: '' }
  const mediaType = readMediaType(readFirst(headers['content-type']))
  if (mediaType !== null && mediaType !== 'text/plain' && !jsonType.test(mediaType)) {
    refuse(`The reply is ${mediaType.slice(0, 40)}, not JSON.`)
  }
  const body = await decode(reply.body, readFirst(headers['content-encoding']).trim().toLowerCase())
  if (body.length > replyLimit) refuse('The reply is too large.')
  const text = redact(body.toString('utf8').replace(/^\uFEFF/u, ''))
  return { mediaType, json: readJson(text, mediaType, !isUtf8(body)), text }
}
