import { Failure } from './failure'
import { describeJsonFault, JsonFault } from './json-rules'
import { parseJson } from './parse-json'
import { readBounded } from './read-bounded'
import * as words from '@/lib/words/json-faults'
import * as refusals from '@/lib/words/refusals'

/** The most bytes of a request's body: 1 MB. */
const bodyLimit = 1_048_576

const jsonType = /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/iu

/**
 * Reads the body of a request to the desk: JSON in UTF-8, at most 1 MB, counted as it comes. Undefined
 * when there is none. Throws Failure 'too-large', 'unsupported-media-type' or 'bad-request', which names the field
 * where one is at fault.
 */
export async function readRequestBody(request: Request): Promise<unknown> {
  const { headers } = request
  const contentType = headers.get('content-type')
  const isJson = contentType !== null && jsonType.test(contentType.trim())
  if (contentType !== null && !isJson) throw new Failure('unsupported-media-type')
  if (headers.has('content-encoding'))
    throw new Failure('unsupported-media-type', { detail: refusals.aCodedBodyIsNotRead })
  const bytes = await readBounded(request, bodyLimit, 'The limit is 1 MB.')
  if (bytes.byteLength === 0) return undefined
  if (!isJson) throw new Failure('unsupported-media-type')
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    if (!(error instanceof JsonFault)) throw new Failure('bad-request', { detail: refusals.theBodyIsNotJsonInUtf8 })
    const reason = describeJsonFault(error)
    const path = error.field.split('.')
    // That a record has such a key is said of the record.
    const field = (error.why === 'unsafe-key' ? path.slice(0, -1) : path).join('.')
    if (field === '') throw new Failure('bad-request', { detail: words.body(reason) })
    const [name = ''] = path
    throw new Failure('bad-request', { detail: words.bodyField(field, reason), errors: { [name]: [reason] } })
  }
}
