import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseCallbackPath } from './callback-path'

const origin = 'https://desk.example'

const hostile: unknown[] = [
  '//evil.test',
  '//evil.test/payments',
  '///evil.test',
  '/\\evil.test',
  '\\/evil.test',
  '\\\\evil.test',
  '/\\/evil.test',
  '/\t/evil.test',
  '/\n/evil.test',
  '/\r\n/evil.test',
  '\t//evil.test',
  ' //evil.test',
  '/ /evil.test',
  '/%2f/evil.test',
  '/%2f%2fevil.test',
  '/%2Fevil.test',
  '/%5cevil.test',
  '/%252fevil.test',
  '/%25255cevil.test',
  '/./%2fevil.test/..//evil.test',
  '/.//evil.test',
  '/x/..//evil.test',
  '/%2e%2e//evil.test',
  'https:evil.test',
  'https:/evil.test',
  'https://evil.test',
  'HTTPS://EVIL.TEST',
  'https://desk.example.evil.test/',
  'https://desk.example@evil.test/',
  'https://evil.test@desk.example/',
  'https://user:pass@desk.example/payments',
  'https://sub.desk.example/',
  'https://desk.example:444/',
  'http://desk.example/payments',
  'https://dеsk.example/',
  '//desk.example@evil.test',
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'blob:https://desk.example/x',
  'file:///etc/passwd',
  'evil.test',
  'payments',
  '',
  '?next=//evil.test',
  '#//evil.test',
  `/${'a'.repeat(10_240)}`,
  '/\u0000payments',
  '/\u200b/evil.test',
  '/\u2028/evil.test',
  '/\ud800',
  ['/payments'],
  ['//evil.test', '/payments'],
  { toString: () => '/payments' },
  null,
  undefined,
  42,
  '/sign-in',
  '/sign-in?callbackUrl=/payments',
  '/SIGN-IN',
  '/api/auth/signout',
  '/api/service/Payments',
  '/payments/../api/auth/signout',
]

const good: [given: string, expected: string][] = [
  ['/', '/'],
  ['/payments', '/payments'],
  ['/payments?state=Pending&q=a%20b#row', '/payments?state=Pending&q=a%20b#row'],
  ['/payments/4f6c?next=//evil.test', '/payments/4f6c?next=//evil.test'],
  ['/customers/N%C3%B8rgaard', '/customers/N%C3%B8rgaard'],
  ['/customers/Nørgaard', '/customers/N%C3%B8rgaard'],
  ['https://desk.example/payments?x=1', '/payments?x=1'],
  ['https://desk.example', '/'],
  ['/signs', '/signs'],
  ['/%09/evil.test', '/%09/evil.test'],
]

describe('the way back after signing in', () => {
  it.each(hostile.map((given) => [given]))('is home for %o', (given) => {
    expect(parseCallbackPath(given, origin)).toBe('/')
  })

  it.each([
    'http://127.0.0.1:3000.evil.test/',
    'http://127.0.0.1.evil.test:3000/',
    'http://127.0.0.1.evil.test/',
    'http://127.0.0.1:30001/',
    'http://127.0.0.1:3000@evil.test/',
    'http://127.0.0.1/',
  ])('is home for %s, whose beginning is that of an origin with a port', (given) => {
    expect(parseCallbackPath(given, 'http://127.0.0.1:3000')).toBe('/')
  })

  it.each(good)('for %s is %s', (given, expected) => {
    expect(parseCallbackPath(given, origin)).toBe(expected)
  })

  it('never leaves the desk, however a browser reads it', () => {
    const piece = fc.constantFrom(
      '/',
      '\\',
      '//',
      ':',
      '@',
      '%2f',
      '%5c',
      '.',
      '..',
      '\t',
      '?',
      '#',
      'evil.test',
      'https',
      'desk.example',
      '%',
      '%00',
    )
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
    )
    fc.assert(
      fc.property(text, (given) => {
        const path = parseCallbackPath(given, origin)
        expect(path).toMatch(/^\/(?![/\\])/u)
        expect(new URL(path, origin).origin).toBe(origin)
        expect(parseCallbackPath(path, origin)).toBe(path)
      }),
      { numRuns: 5_000 },
    )
  })
})
