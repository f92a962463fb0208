import { expect, test } from 'vitest'
import { AppError } from '../runtime/app-error'
import type { UpstreamReply } from '../upstream/call-upstream'
import { classifyFailure, classifyReply } from './send-outcome'

function reply(status: number, json?: unknown): UpstreamReply {
  return { status, json, text: '', mediaType: null, headers: {} }
}

test('every status from 200 to 599 has one meaning, and no 5xx is a no', () => {
  const meanings: Record<string, number[]> = {}
  for (let status = 200; status < 600; status += 1) (meanings[classifyReply(reply(status)).kind] ??= []).push(status)
  const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)
  expect(meanings.accepted).toEqual(range(200, 300))
  expect(meanings['slow-down']).toEqual([429])
  expect(meanings.unknown).toEqual([...range(300, 400), 408, 425, 499, ...range(500, 600)])
  expect(meanings.declined).toHaveLength(100 - 1 - 3)
  expect(meanings['not-sent']).toBeUndefined()
})

test('only proof that nothing was written makes a request not sent', () => {
  const kind = (error: unknown) => classifyFailure(error).kind
  expect(kind(new AppError('upstream-unreachable', { written: false }))).toBe('not-sent')
  expect(kind(new AppError('upstream-timeout', { written: false }))).toBe('not-sent')
  expect(kind(new AppError('bad-request'))).toBe('not-sent')
  expect(kind(new AppError('upstream-unreachable', { written: true }))).toBe('unknown')
  expect(kind(new AppError('upstream-unreachable'))).toBe('unknown')
  expect(kind(new AppError('upstream-bad-reply', { upstream: { status: 202 } }))).toBe('unknown')
  expect(kind(new TypeError('a defect of ours'))).toBe('unknown')
})

test("keeps the service's words as plain text, whatever they hold", () => {
  expect(classifyReply(reply(409, { title: 'No', detail: 'a\0b\ud800 c' }))).toMatchObject({
    reply: { title: 'No', detail: 'a b\ufffd c' },
  })
  expect(classifyReply(reply(409, '<script>alert(1)</script>'))).toEqual({ kind: 'declined', reply: { status: 409 } })
  expect(classifyReply(reply(409, { detail: 'x'.repeat(1_000_000), title: 7 }))).toMatchObject({
    reply: { title: '7' },
  })
})

test("keeps the service's messages of a refusal where it gives no other reason", () => {
  const errors = { '': ['It is with the scheme.'], Text: ['Too long'] }
  const title = 'One or more validation errors occurred.'
  const detail = 'It is with the scheme. text Too long'
  expect(classifyReply(reply(400, { title, errors }))).toMatchObject({ kind: 'declined', reply: { title, detail } })
  expect(classifyReply(reply(400, { title, detail: 'No', errors }))).toMatchObject({ reply: { detail: 'No' } })
  expect(classifyReply(reply(500, { title, errors }))).toMatchObject({ kind: 'unknown', reply: { detail: undefined } })
  expect(classifyReply(reply(200, { text: 'Twice' }))).toMatchObject({ reply: { text: 'Twice', detail: undefined } })
})

test('a payment that is answered with is no reason, nor are messages of anything but a refusal', () => {
  const payment = { id: 'p1', payer: 'Ole Hansen', description: 'Rent', text: 'Moved', reason: 'Moved' }
  expect(classifyReply(reply(409, payment))).toEqual({ kind: 'declined', reply: { status: 409 } })
  expect(classifyReply(reply(409, { message: 'Too late' }))).toMatchObject({ reply: { detail: 'Too late' } })
  for (const said of [{ message: 'Ole' }, { error: 'Ole' }, { error: { message: 'Ole', detail: 'Ole' } }]) {
    expect(classifyReply(reply(500, said))).toEqual({ kind: 'unknown', reply: { status: 500 } })
    expect(classifyReply(reply(200, said))).toEqual({ kind: 'accepted', reply: { status: 200 } })
  }
  expect(classifyReply(reply(500, { detail: 'at Program.cs' }))).toMatchObject({ reply: { detail: 'at Program.cs' } })
})
