import { readdirSync } from 'node:fs'
import { NextRequest } from 'next/server'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { runWithContext } from '@/lib/server/runtime/request-context'
import { startTrace } from '@/lib/server/runtime/trace'
import { config, proxy } from './proxy'

const origin = 'http://127.0.0.1:3000'
const pass = (path: string, method = 'GET') => proxy(new NextRequest(`${origin}${path}`, { method }))
const policyOf = (response: Response) => response.headers.get('content-security-policy') ?? ''

beforeAll(() => {
  process.env.NEXTAUTH_URL = origin
})

describe('the proxy', () => {
  it('gives every page a nonce of its own, and tells Next of it', () => {
    const first = pass('/payments?state=Pending')
    const policy = policyOf(first)
    const nonce = /'nonce-([\w+/=]{22,})'/u.exec(policy)?.[1]
    expect(policyOf(pass('/payments'))).not.toBe(policy)
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain('report-uri /api/policy-reports')
    expect(policy).not.toMatch(/script-src[^;]*unsafe/u)
    expect(first.headers.get('x-middleware-request-content-security-policy')).toBe(policy)
    expect(first.headers.get('x-middleware-request-x-nonce')).toBe(nonce)
    expect(first.headers.get('x-middleware-request-x-desk-path')).toBe('/payments?state=Pending')
  })

  it('never gives the same nonce twice (XS-05)', () => {
    const policies = Array.from({ length: 10_000 }, () => policyOf(pass('/sign-in')))
    expect(new Set(policies).size).toBe(10_000)
  })

  it('lets nothing on the way keep a page, or where one leads, but what is the same for all (BF-10)', () => {
    const keeping = (path: string) => [path, pass(path).headers.get('cache-control')]
    for (const path of ['/', '/payments', '/sign-in', '/nothing-here', '/favicon.svg/x'])
      expect(keeping(path)).toEqual([path, 'private, no-store'])
    for (const name of readdirSync('public')) expect(keeping(`/${name}`)).toEqual([`/${name}`, null])
  })

  it('names the request on every page, by an id of its own, and goes on with a sound trace', () => {
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
    const ask = (traceparent: string) =>
      proxy(new NextRequest(`${origin}/payments`, { headers: { 'x-request-id': 'theirs', traceparent } })).headers
    const sound = ask(`00-${trace}-00f067aa0ba902b7-01`)
    expect(sound.get('x-request-id')).toMatch(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/u)
    expect(sound.get('traceparent')).toMatch(new RegExp(`^00-${trace}-(?!00f067aa0ba902b7)[\\da-f]{16}-01$`, 'u'))
    const unsound = ask(`00-${'0'.repeat(32)}-00f067aa0ba902b7-01`)
    expect(unsound.get('traceparent')).toContain(unsound.get('x-request-id')?.replaceAll('-', ''))
  })

  it.each(['/payments', '/nothing-here'])('gives %s the id that the log lines of the request name', (path) => {
    const facts = startTrace()
    const { headers } = runWithContext(facts, () => pass(path))
    expect([headers.get('x-request-id'), headers.get('traceparent')]).toEqual([facts.requestId, facts.traceparent])
  })

  it('refuses a page that was asked for around the desk’s own server', () => {
    vi.stubEnv('NODE_ENV', 'production')
    expect([pass('/payments').status, policyOf(pass('/payments'))]).toEqual([500, expect.stringMatching(/sandbox$/u)])
    expect(runWithContext(startTrace(), () => pass('/payments')).status).toBe(200)
    vi.unstubAllEnvs()
  })

  it('stands before everything but built files and data', () => {
    const matcher = new RegExp(`^${config.matcher}$`, 'u')
    for (const path of ['/', '/payments', '/api', '/apix', '/hooksx', '/_next/data/x.json', '/_next/image'])
      expect([path, matcher.test(path)]).toEqual([path, true])
    for (const path of ['/_next/static/chunks/a.js', '/api/service/Payments', '/api/auth/session', '/hooks/x'])
      expect([path, matcher.test(path)]).toEqual([path, false])
  })
})
