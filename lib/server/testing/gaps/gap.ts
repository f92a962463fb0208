import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { log } from '../../runtime/log'
import { type FaultService, type RecordedRequest, type Script, startFaultService } from '../fault-service'
import { keepSession, makeSession, setMemoryStore } from '../store-fixture'
import { type Gateway, startGateway } from './start-gateway'

/** JSON under a media type. */
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

/** Nothing but a status, and perhaps headers. */
export const nothing = (status: number, headers: Record<string, string> = {}): Script => ({ status, headers, body: '' })

/** One page with these rows, which is the last unless `end` says otherwise. */
export const page = (results: unknown[], end: object = { hasMore: false, nextOffset: null }): Script =>
  json({ results, ...end })

export type Ask = readonly [method: string, path: string, body?: unknown]

/** One thing that a deployment may legitimately answer, and what the gateway makes of it. */
export type Answer = {
  told: string
  answer: Script | ((request: RecordedRequest, count: number) => Script)
  /** What else is asked than the gap's own request. */
  ask?: Ask
  /** The gateway's status; 200 unless said. */
  status?: number
  /** What the gateway's reply must match. */
  shown: unknown
  /** What the service must have been sent, request by request: `METHOD path body`. */
  sent?: readonly string[]
}

let script: Answer['answer'] = {}
let service: FaultService
let gateway: Gateway

/** Sets the stage of a file of gaps: a service that answers as told, a gateway before it, both on loopback. */
export function setStage(): void {
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
    globalThis.debitdeskWires = undefined
  })
  afterAll(async () => {
    await gateway.close()
    await service.close()
  })
}

/** The stage's gateway, service and script, for gaps that take more than one question. */
export const stage = {
  ask: (...ask: Ask) => gateway.ask(...ask),
  requests: () => service.requests,
  play: (next: Answer['answer']) => {
    script = next
  },
}

function assertSeveral(name: string, told: readonly string[]): void {
  if (new Set(told).size < 2 || new Set(told).size < told.length)
    throw new Error(`${name}: two different answers at least`)
}

/**
 * A gap of the interface, named exactly as its row in docs/compatibility.md, with at least two different answers that a
 * deployment may legitimately give: each is told by a real service and read through the real gateway.
 */
export function gap(name: string, ask: Ask, answers: readonly Answer[]): void {
  assertSeveral(
    name,
    answers.map(({ told }) => told),
  )
  describe(name, () => {
    it.each(answers.map((answer) => [answer.told, answer] as const))('%s', async (_, answer) => {
      stage.play(answer.answer)
      const { status, json } = await stage.ask(...(answer.ask ?? ask))
      expect([status, json]).toMatchObject([answer.status ?? 200, answer.shown])
      if (answer.sent) {
        expect(stage.requests().map(({ method, path, body }) => `${method} ${path} ${body}`.trim())).toEqual(
          answer.sent,
        )
      }
    })
  })
}

/** A gap that one question cannot show: its answers are tests of their own, and there are at least two. */
export function gapOf(name: string, answers: readonly Tried[]): void {
  assertSeveral(
    name,
    answers.map(([told]) => told),
  )
  describe(name, () => {
    it.each(answers.map(([told, run]) => [told, run] as const))('%s', async (_, run) => run())
  })
}

export type Tried = readonly [told: string, run: () => Promise<void>]
