import { Failure } from './failure'
import { parseJson } from './parse-json'
import { readBounded } from './read-bounded'
import * as refusals from '@/lib/words/refusals'

/** Far above what signing in sends; a longer body is refused before anything is done with it. */
const limit = 16_384

function readJson(text: string): [string, unknown][] {
  try {
    const body = parseJson(text)
    return typeof body === 'object' && body !== null ? Object.entries(body) : []
  } catch {
    throw new Failure('bad-request', { detail: refusals.theBodyIsNotJson })
  }
}

/**
 * The fields of a small form, urlencoded or JSON, at most 16 KB; values that are not text are left out.
 * Throws Failure 'too-large', 'unsupported-media-type' or 'bad-request'.
 */
export async function readForm(request: Request): Promise<Record<string, string>> {
  const [type = ''] = (request.headers.get('content-type') ?? '').toLowerCase().split(';')
  const isForm = type.trim() === 'application/x-www-form-urlencoded'
  if (!isForm && type.trim() !== 'application/json') {
    throw new Failure('unsupported-media-type', { detail: refusals.sendAForm })
  }
  const text = (await readBounded(request, limit, 'The limit is 16 KB.')).toString('utf8')
  const entries: [string, unknown][] = isForm ? [...new URLSearchParams(text)] : readJson(text)
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}
