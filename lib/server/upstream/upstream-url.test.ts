import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { explainSegment, reservedWords } from '@/lib/api-contract/path-segment'
import { type Endpoints, endpoints } from '@/lib/api-contract/endpoints'
import { AppError } from '../runtime/app-error'
import { buildUpstreamUrl } from './call-upstream'

const base = new URL('https://service.example/base/v1/')
const withParams = Object.values(endpoints).filter(({ params }) => Object.keys(params).length > 0)
type WithParams = Endpoints[keyof Endpoints]

function build(endpoint: WithParams, value: string, query?: Record<string, string>): URL {
  const [name = ''] = Object.keys(endpoint.params)
  return buildUpstreamUrl(base, endpoint, { [name]: value }, query)
}

function isRefused(endpoint: WithParams, value: string): boolean {
  try {
    build(endpoint, value)
    return false
  } catch (error) {
    return error instanceof AppError && error.code === 'bad-request'
  }
}

const hostile = [
  '',
  '.',
  '..',
  '%2e%2e',
  '%2e%2e%2f',
  '../Merchants',
  '..\\Merchants',
  '..%2f..%2fMerchants',
  '%252e%252e',
  'a/b',
  'a\\b',
  'a%5cb',
  'a\0b',
  'a\r\nX: y',
  'a\nb',
  'a\tb',
  'a;x=1',
  'a?limit=1',
  'a#b',
  '\uD800',
  'a\uDC00b',
  '\u202E',
  '\u200B',
  '\uFEFF',
  ' a',
  'a ',
  '%',
  '%ff',
  'x'.repeat(10_000),
  ...reservedWords,
  'MANDATES',
]

describe.each(withParams)('the parameter of $method $path (BF-01)', (endpoint) => {
  it.each(hostile)('must not be %j', (value) => {
    expect(isRefused(endpoint, value)).toBe(true)
  })

  it('never leaves its template, whatever it is', () => {
    const [before = '', after = ''] = endpoint.path.split(/\{\w+\}/u)
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (value) => {
        if (isRefused(endpoint, value)) return
        const { origin, pathname, search, hash } = build(endpoint, value)
        const prefix = `/base/v1${before}`
        expect({ origin, search, hash }).toEqual({ origin: 'https://service.example', search: '', hash: '' })
        expect(pathname.startsWith(prefix) && pathname.endsWith(after)).toBe(true)
        const inner = pathname.slice(prefix.length, pathname.length - after.length)
        expect(inner).not.toContain('/')
        expect(decodeURIComponent(inner)).toBe(value)
      }),
    )
  })
})

describe('the address of a call', () => {
  it('is the base address with its path and the template, encoded', () => {
    expect(build(endpoints.getCustomer, 'Ærø & søn, c/o'.replace('/', '-')).href).toBe(
      'https://service.example/base/v1/Customers/%C3%86r%C3%B8%20%26%20s%C3%B8n%2C%20c-o',
    )
    expect(buildUpstreamUrl(new URL('http://127.0.0.1:4010'), endpoints.getStatus, {}).href).toBe(
      'http://127.0.0.1:4010/',
    )
    expect(buildUpstreamUrl(base, endpoints.getStatus, {}).href).toBe('https://service.example/base/v1/')
  })

  it('carries a hostile offset as one value of the query (UP-25)', () => {
    for (const after of ['&limit=1000', '#', '\r\nX: y', '../', '%00', 'a=b&c', '💶']) {
      const url = buildUpstreamUrl(base, endpoints.listPayments, {}, { after, limit: 100 })
      expect([...url.searchParams]).toEqual([
        ['after', after],
        ['limit', '100'],
      ])
      expect(url.pathname).toBe('/base/v1/Payments')
      expect(url.hash).toBe('')
    }
  })

  it('leaves out what was not given', () => {
    expect(buildUpstreamUrl(base, endpoints.listPayments, {}, { filter: undefined, limit: 5 }).search).toBe('?limit=5')
  })
})

describe('a handle', () => {
  it.each(['cus_8fK2', 'a.b', 'md-1', '~x', "O'Neill", '(1)', 'ærø', '0b8f8a2e-4a53-4c7e-9f0e-3f2f6a1c5d10', '...'])(
    'may be %s',
    (value) => {
      expect(explainSegment(value)).toBeNull()
      expect(decodeURIComponent(build(endpoints.getMandate, value).pathname)).toBe(
        `/base/v1/Customers/mandates/${value}`,
      )
    },
  )
})
