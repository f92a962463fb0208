import { describe, expect, it } from 'vitest'
import { endpoints } from '@/lib/api-contract/endpoints'
import { parseUpstreamErrors } from '../http/field-errors'
import { toPlainText } from '../http/untrusted-text'
import { AppError } from '../runtime/app-error'
import type { UpstreamReply } from './call-upstream'
import { readLastFailure, recordFailure, toUpstreamError } from './upstream-errors'

function reply(status: number, json: unknown, headers: Record<string, string> = {}): UpstreamReply {
  return { status, json, headers, mediaType: 'application/problem+json', text: '' }
}

describe('the problem record of a refusal (UP-16)', () => {
  const explain = (status: number, json: unknown) => toUpstreamError(reply(status, json), endpoints.createCustomer)

  it('gives its words along, the HTTP status wins over its own', () => {
    const record = {
      type: 't',
      title: 'Bad',
      status: 200,
      detail: 'No name.',
      instance: '/x',
      traceId: 'abc',
      secret: 1,
    }
    expect(explain(409, record).evidence).toEqual({
      detail: 'No name.',
      upstream: { status: 409, type: 't', title: 'Bad', detail: 'No name.', instance: '/x', traceId: 'abc' },
      written: true,
    })
  })

  it.each([undefined, null, '', '<p>no</p>', 7, [], {}, { title: null, detail: {}, status: 'x' }])(
    'may be %j: our own title stands alone',
    (json) => {
      const { evidence } = explain(400, json)
      expect(evidence.detail).toBeUndefined()
      expect(evidence.upstream?.status).toBe(400)
    },
  )

  it('falls back on the title where there is no detail', () => {
    expect(explain(400, { title: 'One or more validation errors occurred.' }).evidence.detail).toContain(
      'validation errors',
    )
  })

  it.each([401, 500, 503])('tells nothing of what a service with %i says but its trace', (status) => {
    const { evidence } = explain(status, {
      title: 'NullReference',
      detail: 'at Program.cs',
      traceId: '00-ab',
      instance: '/y',
    })
    expect(evidence).toEqual({ upstream: { status, instance: '/y', traceId: '00-ab' }, written: true })
  })

  it('may be words alone, or a record with a message: they are its words', () => {
    expect(explain(400, 'no parameters here').evidence.detail).toBe('no parameters here')
    expect(explain(409, { Message: 'Too late', code: 7 }).evidence.detail).toBe('Too late')
    expect(explain(500, 'stack trace').evidence.detail).toBeUndefined()
  })

  it.each([
    [{ '': ['Exists.'] }, undefined, { '': ['Exists.'] }],
    [{ title: 'Bad', errors: { '': ['Exists.'] } }, 'Bad', { '': ['Exists.'] }],
    [{ detail: [{ loc: ['body', 'name'], msg: 'Too short' }] }, undefined, { name: ['Too short'] }],
    [{ message: 'Bad', vat: ['No.'] }, 'Bad', undefined],
    [['Exists.'], undefined, { '': ['Exists.'] }],
    ['Exists.', 'Exists.', undefined],
    [{ Name: ['Too short.'], Vat: ['No.'] }, undefined, { name: ['Too short.'], Vat: ['No.'] }],
    [{ errorCode: 'E7', errorMessage: 'Too late.' }, undefined, { '': ['Too late.'] }],
    [{ error: { '': ['Exists.'], code: 7 } }, undefined, { '': ['Exists.'] }],
  ])('of %j is kept: no message is lost or told twice', (json, detail, errors) => {
    const { evidence } = explain(400, json)
    expect([evidence.detail, evidence.errors]).toEqual([detail, errors])
  })

  it.each([
    { id: 'c1', name: 'Ole Hansen', email: 'ole@example.com', tags: ['Ole'] },
    { id: 7, emails: ['ole@example.com'], text: 'Ole', reason: 'Ole', description: 'Ole' },
    { customer: { name: 'Ole Hansen', msg: 'Ole' } },
    { error: { customer: 'Ole Hansen' } },
    { email: 'ole@example.com' },
  ])('of a record that is no explanation nothing is taken for one: %j', (json) => {
    expect(explain(409, json).evidence).toEqual({ upstream: { status: 409 }, written: true })
  })

  it('asks for the seconds that the service asks for', () => {
    const slow = toUpstreamError(reply(429, {}, { 'retry-after': '7' }), endpoints.listPayments)
    expect(slow).toMatchObject({ code: 'upstream-slow-down', status: 429, evidence: { retryAfter: 7 } })
  })
})

it.each([
  ['read', 'listPayments', [409, 423, 425, 499], 'upstream-error'],
  ['write', 'createCustomer', [425, 499], 'upstream-error'],
  ['write', 'createCustomer', [409, 423], 'upstream-refused'],
  ['read', 'listPayments', [400, 416, 422], 'upstream-refused'],
] as const)('a %s (%s) that is answered with one of %j is %s', (_, id, statuses, code) => {
  expect(statuses.map((status) => toUpstreamError(reply(status, {}), endpoints[id]).code)).toEqual(
    statuses.map(() => code),
  )
})

describe('messages per field', () => {
  it.each<[unknown, Record<string, string[]> | undefined]>([
    [{ Name: ['Too short.'] }, { name: ['Too short.'] }],
    [{ ADDRESSLINE1: 'Missing.' }, { addressLine1: ['Missing.'] }],
    [{ '$.postalCode': ['Odd.', 'Odd.', 7, null] }, { postalCode: ['Odd.'] }],
    [{ 'request.Name': ['x'], name: ['y'] }, { name: ['x', 'y'] }],
    [{ '': ['A customer with this number exists already.'] }, { '': ['A customer with this number exists already.'] }],
    [
      { CustomerNumber: ['must be unique'], 'Address.Zip': ['4 digits', 'No letters'] },
      { CustomerNumber: ['must be unique'], 'Address.Zip': ['4 digits', 'No letters'] },
    ],
    [{ 'Address.PostalCode': ['4 digits'] }, { postalCode: ['4 digits'] }],
    [JSON.parse('{"__proto__":["No."]}'), JSON.parse('{"__proto__":["No."]}')],
    [
      { 'a\0\u202Eb': ['No.'], '<b>': ['Bad.'] },
      { 'a b': ['No.'], '': ['Bad.'] },
    ],
    [{ ['x'.repeat(101)]: ['No.'] }, { ['x'.repeat(100)]: ['No.'] }],
    [
      [
        { code: 7, description: 'Exists.' },
        { field: 'Vat', message: 'No.' },
      ],
      { '': ['Exists.'], Vat: ['No.'] },
    ],
    [{ name: ['<b>bold</b>'] }, undefined],
    [['Exists.'], { '': ['Exists.'] }],
    ['Exists.', { '': ['Exists.'] }],
    [null, undefined],
    [{ name: [] }, undefined],
  ])('of %j are %j', (errors, expected) => {
    expect(parseUpstreamErrors(errors, endpoints.createCustomer)).toEqual(expected)
  })

  it('go to fields inside of free-form ones, and to query and path', () => {
    expect(parseUpstreamErrors({ 'SchemeData.cvrNumber': ['8 digits.'] }, endpoints.createAgreement)).toEqual({
      'schemeData.cvrNumber': ['8 digits.'],
    })
    expect(parseUpstreamErrors({ Limit: ['No.'] }, endpoints.listPayments)).toEqual({ limit: ['No.'] })
    expect(parseUpstreamErrors({ CustomerId: ['No.'] }, endpoints.deleteCustomer)).toEqual({ customerId: ['No.'] })
  })
})

describe('words of the service (UP-17)', () => {
  it.each([
    ['  two\n lines\t', 'two lines'],
    ['a\u0000b\u200Bc\u202Ed', 'a b c d'],
    ['', undefined],
    [' \n ', undefined],
    ['<p>x</p>', undefined],
    ['x <script', undefined],
    ['a < b and 3 <4', 'a < b and 3 <4'],
    [7, undefined],
    ['\uD800x', '\uFFFDx'],
  ])('%j are shown as %j', (value, expected) => {
    expect(toPlainText(value)).toBe(expected)
  })

  it('are cut at 300 characters', () => {
    expect(toPlainText('x'.repeat(300))).toHaveLength(300)
    const cut = toPlainText(`${'x'.repeat(298)}💶💶`.repeat(3_000)) ?? ''
    expect(cut.length).toBeLessThanOrEqual(300)
    expect(cut.endsWith('…') && cut.isWellFormed()).toBe(true)
  })
})

it('the latest failure is one of the service, none of a request that Debitdesk itself kept back', () => {
  recordFailure('kept-back', new AppError('upstream-timeout', { written: false, isHeldBack: true }))
  expect(readLastFailure('kept-back')).toBeNull()
  recordFailure('kept-back', new AppError('upstream-timeout', { written: true }))
  expect(readLastFailure('kept-back')).toMatchObject({ code: 'upstream-timeout' })
})
