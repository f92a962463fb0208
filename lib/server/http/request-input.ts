import { isDecodable } from '@/lib/domain/page-address'
import { merchantParameter } from '../auth/tenant-scope'
import { AppError } from '../runtime/app-error'
import { parseJson } from './parse-json'
import { describeJsonError, JsonError } from './tolerant-json'
import * as m from '@/lib/messages/m'

/**
 * Reads a request's body, never taking in more than `limit` bytes. Throws AppError 'too-large' with `detail`.
 */
export async function readBounded({ body, headers }: Request, limit: number, detail: string): Promise<Buffer> {
  const tooLarge = () => new AppError('too-large', { detail })
  if (Number(headers.get('content-length') ?? 0) > limit) throw tooLarge()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    // Throwing leaves the loop, which cancels the stream.
    if (size > limit) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}

const MAX_BODY_BYTES = 1_048_576

const jsonType = /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/iu

/**
 * Reads the body of a request to the desk: JSON in UTF-8, at most 1 MB. Undefined for an empty body. Throws AppError
 * 'too-large', 'unsupported-media-type' or 'bad-request', which names the field at fault if there is one.
 */
export async function readRequestBody(request: Request): Promise<unknown> {
  const { headers } = request
  const contentType = headers.get('content-type')
  const isJson = contentType !== null && jsonType.test(contentType.trim())
  if (contentType !== null && !isJson) throw new AppError('unsupported-media-type')
  if (headers.has('content-encoding'))
    throw new AppError('unsupported-media-type', { detail: m.refusals_aCodedBodyIsNotRead() })
  const bytes = await readBounded(request, MAX_BODY_BYTES, m.refusals_theLimitIs({ limit: '1 MB' }))
  if (bytes.byteLength === 0) return undefined
  if (!isJson) throw new AppError('unsupported-media-type')
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    if (!(error instanceof JsonError))
      throw new AppError('bad-request', { detail: m.refusals_theBodyIsNotJsonInUtf8() })
    const reason = describeJsonError(error)
    const path = error.field.split('.')
    // An unsafe key is reported against the record that holds it.
    const field = (error.why === 'unsafe-key' ? path.slice(0, -1) : path).join('.')
    if (field === '') throw new AppError('bad-request', { detail: m.jsonFaults_body({ reason }) })
    const [name = ''] = path
    throw new AppError('bad-request', {
      detail: m.jsonFaults_bodyField({ field, reason }),
      errors: { [name]: [reason] },
    })
  }
}

/** Far above what a sign-in form sends. */
const MAX_FORM_BYTES = 16_384

function parseFormJson(text: string): [string, unknown][] {
  try {
    const body = parseJson(text)
    return typeof body === 'object' && body !== null ? Object.entries(body) : []
  } catch {
    throw new AppError('bad-request', { detail: m.refusals_theBodyIsNotJson() })
  }
}

/**
 * Reads the fields of a small form, urlencoded or JSON, at most 16 KB; values that aren't text are dropped.
 * Throws AppError 'too-large', 'unsupported-media-type' or 'bad-request'.
 */
export async function readForm(request: Request): Promise<Record<string, string>> {
  const [type = ''] = (request.headers.get('content-type') ?? '').toLowerCase().split(';')
  const isForm = type.trim() === 'application/x-www-form-urlencoded'
  if (!isForm && type.trim() !== 'application/json') {
    throw new AppError('unsupported-media-type', { detail: m.refusals_sendAForm() })
  }
  const text = (await readBounded(request, MAX_FORM_BYTES, m.refusals_theLimitIs({ limit: '16 KB' }))).toString('utf8')
  const entries: [string, unknown][] = isForm ? [...new URLSearchParams(text)] : parseFormJson(text)
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

/** The name of the first parameter that is not percent-encoded UTF-8: URL would silently replace the invalid bytes. */
function findUndecodable(search: string): string | null {
  const pair = search
    .slice(1)
    .split('&')
    .find((part) => part !== '' && !isDecodable(part))
  if (pair === undefined) return null
  const [name] = new URLSearchParams(pair).keys()
  return name ?? ''
}

function refuse(name: string, explain: (values: { shown: string }) => string, reason: string): never {
  const shown = name.slice(0, 100)
  throw new AppError('bad-request', { detail: explain({ shown }), errors: { [shown]: [reason] } })
}

/**
 * Reads a request's query as text per name. Repeated names are refused (BF-15) unless listed in `repeatable`, whose
 * values are always arrays; so are names and values that don't decode. Leaves out the merchant parameter, which the
 * session gate reads. Throws AppError 'bad-request'.
 */
export function readRequestQuery(
  request: Request,
  repeatable: readonly string[] = [],
): Record<string, string | string[]> {
  const { searchParams, search } = new URL(request.url)
  const undecodable = findUndecodable(search)
  if (undecodable !== null) refuse(undecodable, m.refusals_doesNotDecode, m.fields_doesNotDecode())
  const names = [...new Set(searchParams.keys())].filter((name) => name !== merchantParameter)
  return Object.fromEntries(
    names.map((name) => {
      const values = searchParams.getAll(name)
      if (repeatable.includes(name)) return [name, values]
      const [value = '', ...others] = values
      if (others.length === 0) return [name, value]
      return refuse(name, m.refusals_wasGivenTwice, m.fields_wasGivenTwice())
    }),
  )
}
