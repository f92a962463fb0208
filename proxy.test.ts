import { readdirSync } from 'node:fs'
import { NextRequest } from 'next/server'
import { beforeAll, describe, expect, it } from 'vitest'
import { runWithFacts } from '@/lib/server/request-facts'
import { startTrace } from '@/lib/server/headers'
import { config, proxy } from './proxy'

const origin = 'http://127.0.0.1:3000'
const pass = (path: string, method = 'GET') => proxy(new NextRequest(`${origin}${path}`, { method }))
const policyOf = (response: Response) => response.headers.get('content-security-policy') ?? ''

beforeAll(() => {
  process.env.NEXTAUTH_URL = origin
})

describe('the proxy', () => {
  it.each(['/payments', '/nothing-here', '/api/%'])('sets what every reply carries: %s', (path) => {
    const { headers } = pass(path)
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'x-frame-options': 'DENY',
    })
    expect(headers.has('strict-transport-security')).toBe(false)
    expect(headers.has('access-control-allow-origin')).toBe(false)
  })

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

  it.each(['/payments', '/payments/%'])('gives %s the id that the log lines of the request name', (path) => {
    const facts = startTrace()
    const { headers } = runWithFacts(facts, () => pass(path))
    expect([headers.get('x-request-id'), headers.get('traceparent')]).toEqual([facts.requestId, facts.traceparent])
  })

  it('lets a reply that is no page do nothing at all', () => {
    for (const path of ['/api/%', '/api/%73ervice/Payments'])
      expect(policyOf(pass(path))).toMatch(/^default-src 'none';.*sandbox$/u)
    expect(policyOf(pass('/apix'))).toContain('nonce-')
  })

  it.each(['/api/service/Customers/%ff', '/payments/%ED%A0%80', '/payments/%', '/%C3'])(
    'refuses %s, which does not decode (BF-02)',
    async (path) => {
      const response = pass(path)
      expect([response.status, response.headers.get('content-type')]).toEqual([
        400,
        'application/problem+json; charset=utf-8',
      ])
      expect(response.headers.get('cache-control')).toBe('private, no-store')
      expect(await response.json()).toMatchObject({ instance: response.headers.get('x-request-id') })
    },
  )

  it.each(['REFUSED', 'PURGE', 'PROPFIND'])('refuses the method %s, which nothing here knows (BF-07)', (method) => {
    const response = pass('/payments', method)
    expect([response.status, response.headers.get('allow')]).toEqual([
      405,
      'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
    ])
  })

  it('stands before everything but built files and data, and before data that is to be refused', () => {
    const matcher = new RegExp(`^${config.matcher}$`, 'u')
    for (const path of ['/', '/payments', '/api', '/apix', '/hooksx', '/api/%', '/_next/data/x.json', '/_next/image'])
      expect([path, matcher.test(path)]).toEqual([path, true])
    for (const path of ['/_next/static/chunks/a.js', '/api/service/Payments', '/api/auth/session', '/hooks/x'])
      expect([path, matcher.test(path)]).toEqual([path, false])
  })
})
