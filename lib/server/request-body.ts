import { Failure } from './failure'
import { parseJson } from './parse-json'
import { readBounded } from './read-bounded'
import * as refusals from '@/lib/words/refusals'

/** The most bytes of a request's body: 1 MB. */
const bodyLimit = 1_048_576

const jsonType = /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/iu

/**
 * Reads the body of a request to the desk: JSON in UTF-8, at most 1 MB, counted as it comes. Undefined
 * when there is none. Throws Failure 'too-large', 'unsupported-media-type' or 'bad-request'.
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
  } catch {
    throw new Failure('bad-request', { detail: refusals.theBodyIsNotJsonInUtf8 })
  }
}
