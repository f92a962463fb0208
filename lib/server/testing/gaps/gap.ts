import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { log } from '../../runtime/log'
import { type FaultService, type RecordedRequest, type Script, startFaultService } from '../fault-service'
import { keepSession, makeSession, setMemoryStore } from '../store-fixture'
import { type Gateway, startGateway } from './start-gateway'

/** JSON with a media type. */
export const json = (value: unknown, status = 200, mediaType = 'application/json'): Script => ({
  status,
  headers: { 'content-type': mediaType },
  body: JSON.stringify(value),
})

export const words = (body: string, status = 200): Script => ({
  status,
  headers: { 'content-type': 'text/plain' },
  body,
})

export const html = (status = 200): Script => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: '<html><body><h1>Words</h1></body></html>',
})

/** A reply without a body. */
export const nothing = (status: number, headers: Record<string, string> = {}): Script => ({ status, headers, body: '' })

/** A page with these rows, by default the last. */
export const page = (results: unknown[], end: object = { hasMore: false, nextOffset: null }): Script =>
  json({ results, ...end })

export type GapRequest = readonly [method: string, path: string, body?: unknown]

/** A legitimate reply of a deployment, and the gateway's result. */
export type GapReply = {
  told: string
  answer: Script | ((request: RecordedRequest, count: number) => Script)
  /** A request other than the gap's own. */
  ask?: GapRequest
  /** The gateway's status, by default 200. */
  status?: number
  /** What the gateway's reply must match. */
  shown: unknown
  /** The requests the service must have received: `METHOD path body`. */
  sent?: readonly string[]
}

let script: GapReply['answer'] = {}
let service: FaultService
let gateway: Gateway

/** Sets up a file of gaps: a scripted service and a gateway to it, both on loopback. */
export function setUpGaps(): void {
  beforeAll(async () => {
    log.level = 'silent'
    const session = makeSession('admin')
    const { db } = await setMemoryStore()
    await keepSession(db, session)
    service = await startFaultService((request) =>
      typeof script === 'function' ? script(request, service.requests.length) : script,
    )
    process.env.UPSTREAM_URL = service.url
    process.env.UPSTREAM_AUTH = 'none'
    gateway = await startGateway(session)
  })
  beforeEach(() => {
    service.requests.length = 0
    globalThis.debitdeskLimits = undefined
    globalThis.debitdeskUpstreamStates = undefined
  })
  afterAll(async () => {
    await gateway.close()
    await service.close()
  })
}

/** The gateway, service and script, for gaps that need more than one request. */
export const gapSetup = {
  ask: (...ask: GapRequest) => gateway.ask(...ask),
  requests: () => service.requests,
  play: (next: GapReply['answer']) => {
    script = next
  },
}

function assertSeveral(name: string, told: readonly string[]): void {
  if (new Set(told).size < 2 || new Set(told).size < told.length)
    throw new Error(`${name}: two different answers at least`)
}

/**
 * A gap of the API contract, named as its row in docs/compatibility.md, with at least two legitimate replies of a
 * deployment, each sent by a real service and read through the real gateway.
 */
export function gap(name: string, ask: GapRequest, answers: readonly GapReply[]): void {
  assertSeveral(
    name,
    answers.map(({ told }) => told),
  )
  describe(name, () => {
    it.each(answers.map((answer) => [answer.told, answer] as const))('%s', async (_, answer) => {
      gapSetup.play(answer.answer)
      const { status, json } = await gapSetup.ask(...(answer.ask ?? ask))
      expect([status, json]).toMatchObject([answer.status ?? 200, answer.shown])
      if (answer.sent) {
        expect(gapSetup.requests().map(({ method, path, body }) => `${method} ${path} ${body}`.trim())).toEqual(
          answer.sent,
        )
      }
    })
  })
}

/** A gap that needs more than one request: each reply is a test of its own, and there are at least two. */
export function gapOf(name: string, answers: readonly GapTest[]): void {
  assertSeveral(
    name,
    answers.map(([told]) => told),
  )
  describe(name, () => {
    it.each(answers.map(([told, run]) => [told, run] as const))('%s', async (_, run) => run())
  })
}

export type GapTest = readonly [told: string, run: () => Promise<void>]
