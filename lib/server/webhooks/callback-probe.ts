import { request as requestPlain } from 'node:http'
import { type RequestOptions, request as requestSecure } from 'node:https'
import { isIP } from 'node:net'
import { isPublicAddress } from '@/lib/api-contract/callback-address'
import type { ProbeResult } from '@/lib/domain/webhooks'
import {
  lookupPublicAddress,
  HiddenAddressError,
  NameError,
  type ResolveName,
  systemResolve,
} from '../upstream/public-lookup'

const PROBE_TIMEOUT_MS = 5_000

function explain(error: unknown): ProbeResult {
  if (error instanceof HiddenAddressError) return { kind: 'hidden' }
  if (error instanceof NameError) return { kind: 'failed', why: 'name' }
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (error instanceof Error && error.name === 'AbortError') return { kind: 'failed', why: 'timeout' }
  const isCertificate = /CERT|SIGNATURE|ISSUER|TLS|SSL|EPROTO/u.test(code)
  return { kind: 'failed', why: isCertificate ? 'certificate' : 'connection' }
}

function requestStatus(url: URL, options: RequestOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? requestSecure : requestPlain
    const outgoing = send(url, options, (response) => {
      resolve(response.statusCode ?? 0)
      // Only the status matters: the body is not read and redirects are not followed.
      response.destroy()
    })
    outgoing.on('error', reject)
    outgoing.end()
  })
}

/**
 * Checks with a HEAD request whether anything answers at an address that passed `explainAddress`: within 5 s, on its own
 * connection, and only at public addresses. Never throws.
 */
export async function probeAddress(address: string, resolve: ResolveName = systemResolve): Promise<ProbeResult> {
  const url = new URL(address)
  const host = url.hostname.replace(/^\[|\]$/gu, '')
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return { kind: 'failed', why: 'connection' }
  // Ports below 1024 belong to mail servers, shells and the like, which must not be contacted from here.
  if (url.port !== '' && Number(url.port) < 1024) return { kind: 'failed', why: 'port' }
  // Node skips the lookup for literal addresses.
  if (isIP(host) !== 0 && !isPublicAddress(host)) return { kind: 'hidden' }
  const began = performance.now()
  try {
    const status = await requestStatus(url, {
      method: 'HEAD',
      agent: false,
      lookup: lookupPublicAddress(resolve),
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
      maxHeaderSize: 16_384,
      headers: { 'user-agent': 'debitdesk-probe', connection: 'close' },
    })
    return { kind: 'answered', status, milliseconds: Math.round(performance.now() - began) }
  } catch (error) {
    return explain(error)
  }
}
