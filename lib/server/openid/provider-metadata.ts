import * as z from 'zod'
import { exchange } from '../exchange'
import { Failure } from '../failure'
import { readReply } from '../reply-reading'
import { getSettings } from '../settings'
import * as refusals from '@/lib/words/refusals'

const address = z.string().refine((value) => /^https?:\/\//u.test(value) && URL.canParse(value))

const metadata = z.looseObject({
  issuer: address,
  token_endpoint: address,
  end_session_endpoint: address.optional().catch(undefined),
})

/** What the desk itself uses of a provider's discovery document. */
export type ProviderMetadata = z.output<typeof metadata>

declare global {
  /** One per process: Next loads this module once per graph. */
  var debitdeskOpenId: { issuer: string; until: number; told: Promise<ProviderMetadata> } | undefined
}

const hour = 3_600_000
const deadline = 5_000
const replyLimit = 256 * 1024
const clean = (issuer: string) => issuer.replace(/\/$/u, '')

async function ask(issuer: string): Promise<ProviderMetadata> {
  const url = new URL(`${clean(issuer)}/.well-known/openid-configuration`)
  const headers = { accept: 'application/json', 'user-agent': 'debitdesk' }
  const raw = await exchange({ url, method: 'GET', headers, deadline, limit: replyLimit })
  const read = metadata.safeParse(raw.status === 200 ? (await readReply(raw, (text) => text)).json : null)
  if (read.success && clean(read.data.issuer) === clean(issuer)) return read.data
  throw new Failure('upstream-credential', { detail: refusals.theOpenIdProviderDoesNotDescribeItself, written: false })
}

/** The provider's description of itself, kept for an hour. Throws Failure. */
export function readProviderMetadata(now = Date.now()): Promise<ProviderMetadata> {
  const { OIDC_ISSUER: issuer } = getSettings()
  if (issuer === undefined) return Promise.reject(new Failure('internal', { detail: refusals.noOpenIdProviderIsSet }))
  const known = globalThis.debitdeskOpenId
  if (known?.issuer === issuer && known.until > now) return known.told
  const told = ask(issuer)
  const kept = { issuer, until: now + hour, told }
  globalThis.debitdeskOpenId = kept
  told.catch(() => {
    if (globalThis.debitdeskOpenId === kept) globalThis.debitdeskOpenId = undefined
  })
  return told
}
