import * as z from 'zod'
import { AppError } from '../runtime/app-error'
import { parseJson } from './parse-json'
import { readBounded } from './request-input'
import * as refusals from '@/lib/words/refusals'

const limit = 16_384
const types = ['application/csp-report', 'application/json']

const reportSchema = z.object({
  'csp-report': z.object({
    'document-uri': z.string().catch(''),
    'effective-directive': z.string().catch(''),
    'violated-directive': z.string().catch(''),
    'blocked-uri': z.string().catch(''),
  }),
})

export type PolicyViolation = {
  /** The directive that was broken, such as `script-src-elem`. */
  directive: string
  /** What was kept out: an origin or a word such as `inline`. */
  blocked: string
  /** The path of the page, without its query. */
  path: string
}

/** A word of the policy, or '?' for anything else: who sends a report may write what they like in it. */
function readWord(text: string): string {
  return /^[a-z][a-z-]{0,39}$/u.test(text) ? text : '?'
}

/** No more of an address than where it leads: what stands behind that may be somebody's data. */
function readOrigin(text: string): string {
  if (!URL.canParse(text)) return readWord(text)
  const { protocol, host } = new URL(text)
  return `${protocol}//${host}`.slice(0, 200)
}

function parse(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    throw new AppError('bad-request', { detail: refusals.theBodyIsNotJson })
  }
}

/**
 * A browser's report of what the policy of a page kept out (CSP 3, section 5.3), reduced to what may stand in a log.
 * Throws AppError 'unsupported-media-type', 'too-large' or 'bad-request'.
 */
export async function readPolicyReport(request: Request): Promise<PolicyViolation> {
  const [type = ''] = (request.headers.get('content-type') ?? '').toLowerCase().split(';')
  if (!types.includes(type.trim()))
    throw new AppError('unsupported-media-type', { detail: refusals.sendApplicationCspReport })
  const bytes = await readBounded(request, limit, 'The limit is 16 KB.')
  const parsed = reportSchema.safeParse(parse(bytes.toString('utf8')))
  if (!parsed.success) throw new AppError('bad-request', { detail: refusals.theBodyIsNotAReport })
  const report = parsed.data['csp-report']
  const page = report['document-uri']
  return {
    directive: readWord(report['effective-directive'] || (report['violated-directive'].split(' ')[0] ?? '')),
    blocked: readOrigin(report['blocked-uri']),
    path: URL.canParse(page) ? new URL(page).pathname.slice(0, 200) : '?',
  }
}
