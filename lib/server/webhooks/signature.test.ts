import { createHmac, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { verifySignature } from './receive-message'

const key = randomBytes(32)
const secret = `whsec_${key.toString('base64')}`
const body = '{"objectType":"payment","eventType":"settled","timeStamp":"2026-11-20T10:00:00Z","data":{"name":"Åse"}}'
const id = '0b9f2c56-0d3c-4f5e-9e5b-0d1f0c1f2a3b'
const seconds = (ahead = 0) => String(Math.floor(Date.now() / 1_000) + ahead)

/** Signs without the library. */
const sign = (timestamp: string, text = body, with_ = key) =>
  createHmac('sha256', with_).update(`${id}.${timestamp}.${text}`).digest('base64')

function headersOf(timestamp: string, signature: string): Record<string, string> {
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
}

const judge = (headers: Record<string, string>, text = body) => verifySignature(secret, headers, text)

describe('a signature (WH-02)', () => {
  it('is valid alone, and beside others of any kind', () => {
    const now = seconds()
    const right = `v1,${sign(now)}`
    const wrong = `v1,${sign(now, body, randomBytes(32))}`
    for (const signature of [right, `${wrong} ${right}`, `${right} ${wrong}`, `v1a,xyz v2,${sign(now)} ${right}`])
      expect([signature, judge(headersOf(now, signature))]).toEqual([signature, 'valid'])
  })

  it('is not checked without a secret', () => {
    expect(verifySignature(null, headersOf(seconds(), `v1,${sign(seconds())}`), body)).toBe('not-checked')
  })

  it.each([-301, 302])('is stale %i seconds from now', (ahead) => {
    const timestamp = seconds(ahead)
    expect(judge(headersOf(timestamp, `v1,${sign(timestamp)}`))).toBe('stale')
  })

  it.each([
    ['another version', (right: string) => `v2,${right}`],
    ['no version', (right: string) => right],
    ['junk', () => 'v1,%%%%'],
    ['nothing', () => ''],
    ['half', (right: string) => `v1,${right.slice(0, 20)}`],
    ['somebody else’s', () => `v1,${sign(seconds(), body, randomBytes(32))}`],
  ])('is invalid: %s', (_name, make) => {
    const now = seconds()
    expect(judge(headersOf(now, make(sign(now))))).toBe('invalid')
  })

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('is invalid without %s', (name) => {
    const now = seconds()
    const { [name]: _left, ...others } = headersOf(now, `v1,${sign(now)}`)
    expect(judge(others)).toBe('invalid')
  })

  it('is invalid once any one bit differs, in 10,000 places', () => {
    const now = seconds()
    const parts = { id, now, body, signature: sign(now) }
    const places = fc.record({
      part: fc.constantFrom('id', 'now', 'body', 'signature'),
      at: fc.nat({ max: 1_000 }),
      bit: fc.integer({ min: 0, max: 6 }),
    })
    const found = fc.check(
      fc.property(places, ({ part, at, bit }) => {
        const flip = (name: string, text: string) => {
          if (name !== part) return text
          const place = at % text.length
          return `${text.slice(0, place)}${String.fromCharCode(text.charCodeAt(place) ^ (1 << bit))}${text.slice(place + 1)}`
        }
        const headers = {
          'webhook-id': flip('id', parts.id),
          'webhook-timestamp': flip('now', parts.now),
          'webhook-signature': `v1,${flip('signature', parts.signature)}`,
        }
        return judge(headers, flip('body', parts.body)) !== 'valid'
      }),
      { numRuns: 10_000 },
    )
    expect(found.counterexample).toBe(null)
  })
})
