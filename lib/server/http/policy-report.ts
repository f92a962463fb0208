import * as z from 'zod'
import { AppError } from '../runtime/app-error'
import { parseJson } from './parse-json'
import { readBounded } from './request-input'
import * as m from '@/lib/messages/m'

const MAX_REPORT_BYTES = 16_384
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
  /** The blocked origin, or a keyword such as `inline`. */
  blocked: string
  /** The path of the page, without its query. */
  path: string
}

/** A keyword of the policy, or '?' for anything else: reports are untrusted. */
function parseKeyword(text: string): string {
  return /^[a-z][a-z-]{0,39}$/u.test(text) ? text : '?'
}

/** Only the origin of an address: the rest may be personal data. */
function parseOrigin(text: string): string {
  if (!URL.canParse(text)) return parseKeyword(text)
  const { protocol, host } = new URL(text)
  return `${protocol}//${host}`.slice(0, 200)
}

function parse(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    throw new AppError('bad-request', { detail: m.refusals_theBodyIsNotJson() })
  }
}

/**
 * Parses a browser's report of a policy violation (CSP 3, section 5.3), reduced to what may be logged. Throws AppError
 * 'unsupported-media-type', 'too-large' or 'bad-request'.
 */
export async function readPolicyReport(request: Request): Promise<PolicyViolation> {
  const [type = ''] = (request.headers.get('content-type') ?? '').toLowerCase().split(';')
  if (!types.includes(type.trim()))
    throw new AppError('unsupported-media-type', { detail: m.refusals_sendApplicationCspReport() })
  const bytes = await readBounded(request, MAX_REPORT_BYTES, m.refusals_theLimitIs({ limit: '16 KB' }))
  const parsed = reportSchema.safeParse(parse(bytes.toString('utf8')))
  if (!parsed.success) throw new AppError('bad-request', { detail: m.refusals_theBodyIsNotAReport() })
  const report = parsed.data['csp-report']
  const page = report['document-uri']
  return {
    directive: parseKeyword(report['effective-directive'] || (report['violated-directive'].split(' ')[0] ?? '')),
    blocked: parseOrigin(report['blocked-uri']),
    path: URL.canParse(page) ? new URL(page).pathname.slice(0, 200) : '?',
  }
}
