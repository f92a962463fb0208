import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { CancellationView } from '@/lib/domain/cancellations/cancellation'
import { CallError } from './api-client'
import { createCancellationWatch } from './cancellation-watch'
import { followChanges } from './change-stream'
import { type Changed, createLiveChanges, type LiveChanges } from './live-changes'
import { createReadAgain } from './read-again'
import { startDeskServer } from './testing/desk-server'

/** Enough for the first wait before connecting again on a busy machine. */
const TIMEOUT = { timeout: 15_000 }
const realFetch = globalThis.fetch

let server: Server
let streams: ServerResponse[]
let requests: IncomingHttpHeaders[]
let status: number
let live: LiveChanges
let stop: () => void

function send(text: string): void {
  for (const stream of streams) stream.write(text)
}

beforeEach(async () => {
  streams = []
  requests = []
  status = 200
  server = createServer((request, response) => {
    requests.push(request.headers)
    response.writeHead(status, status === 200 ? { 'content-type': 'text/event-stream' } : {})
    if (status !== 200) {
      response.end()
      return
    }
    streams.push(response)
    response.write(': open\n\n')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  globalThis.fetch = (input, init) => realFetch(new URL(input instanceof Request ? input.url : input, origin), init)
  live = createLiveChanges(async () => followChanges, 0)
  stop = live.start('ann at-a-merchant')
})
afterEach(async () => {
  stop()
  globalThis.fetch = realFetch
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
})

const untilLive = (isLive: boolean) => vi.waitFor(() => expect(live.isLive()).toBe(isLive), TIMEOUT)

describe('the changes that the desk tells of', () => {
  it('reach who asked for their kind, however the bytes are cut', async () => {
    const heard: Changed[] = []
    const others: Changed[] = []
    live.onChange(['bulk', 'import'], (changed) => heard.push(changed))
    live.onChange(['inbox'], (changed) => others.push(changed))
    await untilLive(true)
    send('data: {"bulk":["b1"],"unheard-of":["x"]}\n\n: heartbeat\n\ndata: {"imp')
    send('ort":null}\n\n')
    await vi.waitFor(() => expect(heard).toHaveLength(3))
    // What may have changed between the page's load and the connection comes first.
    expect(heard).toEqual([{ ids: null, missed: 'since-load' }, { ids: ['b1'] }, { ids: null }])
    expect(others).toEqual([{ ids: null, missed: 'since-load' }])
    expect(requests[0]).toMatchObject({ 'x-debitdesk': '1', 'x-debitdesk-quiet': '1' })
  })

  it('are connected to again after a loss, and what may have been missed is told once', async () => {
    const heard: Changed[] = []
    await untilLive(true)
    live.onChange(['bulk'], (changed) => heard.push(changed))
    streams.splice(0).forEach((stream) => stream.end())
    await untilLive(false)
    await untilLive(true)
    expect([requests.length, heard]).toEqual([2, [{ ids: null, missed: 'in-gap' }]])
  })

  it('are not live where the desk hears of none, and it is not asked again at once', async () => {
    stop()
    status = 204
    live = createLiveChanges(async () => followChanges, 0)
    stop = live.start('ben')
    await vi.waitFor(() => expect(requests).toHaveLength(1))
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    expect([live.isLive(), requests.length]).toEqual([false, 1])
  })

  it('are not connected to again at once where the session is over', async () => {
    await untilLive(true)
    for (const stream of streams.splice(0)) stream.end(': over\n\n')
    await untilLive(false)
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    expect([live.isLive(), requests.length]).toEqual([false, 1])
  })

  it('are followed once their code comes, though it failed to load before', async () => {
    stop()
    let loads = 0
    live = createLiveChanges(async () => {
      loads += 1
      if (loads === 1) throw new TypeError('Failed to fetch dynamically imported module')
      return followChanges
    }, 0)
    stop = live.start('cal')
    await untilLive(true)
    expect(loads).toBe(2)
  })

  it('are not waited for by a tab that lacks their code', async () => {
    stop()
    const order: string[] = []
    const request = async () => void order.push('asked for the lock')
    Object.defineProperty(navigator, 'locks', { value: { request }, configurable: true })
    live = createLiveChanges(async () => {
      order.push('loaded')
      return followChanges
    }, 0)
    stop = live.start('dee')
    await vi.waitFor(() => expect(order).toEqual(['loaded', 'asked for the lock']))
    Reflect.deleteProperty(navigator, 'locks')
  })

  it('end with the page', async () => {
    await untilLive(true)
    const [stream] = streams
    const closed = new Promise((resolve) => stream?.once('close', resolve))
    window.dispatchEvent(new Event('pagehide'))
    await closed
    expect(live.isLive()).toBe(false)
  })
})

describe('the watch on cancellations, told of changes', () => {
  const view = (paymentId: string, change: Partial<CancellationView> = {}): CancellationView => ({
    id: `of-${paymentId}`,
    paymentId,
    named: null,
    seen: null,
    outcome: 'requested',
    closed: false,
    reason: null,
    detail: null,
    text: 'Asked by phone',
    requestedBy: 'ann@debitdesk.example',
    requestedAt: '2026-11-20T13:00:00.000Z',
    closedAt: null,
    checked: null,
    handled: null,
    ...change,
  })

  /** Changes that the test tells of. */
  function listen() {
    let take: (changed: Changed) => void = () => undefined
    const told = {
      isLive: () => true,
      onState: () => () => undefined,
      onChange: (_: readonly string[], listener: (changed: Changed) => void) => {
        take = listener
        return () => undefined
      },
    }
    return [told, (changed: Changed) => take(changed)] as const
  }

  /** A watch that somebody follows and that is told of changes, with its desk. */
  async function startWatch() {
    globalThis.fetch = realFetch
    const desk = await startDeskServer()
    const [told, tell] = listen()
    const watch = createCancellationWatch({ delays: [60_000], live: told })
    const end = watch.subscribe(() => undefined)
    const close = () => {
      end()
      return desk.close()
    }
    return { desk, watch, tell, close }
  }

  it.each([
    ['told of it', { ids: ['shown', 'other'] }],
    ['told of nothing for a while', { ids: null, missed: 'in-gap' as const }],
  ])('shows what others request for a payment that is shown by itself, where it is %s', async (_what, changed) => {
    const { desk, watch, tell, close } = await startWatch()
    const announced: string[] = []
    watch.onOutcomeChange(({ view: { outcome } }) => announced.push(outcome))
    desk.answerWith(() => ({ json: { cancellations: [] } }))
    await watch.load(['shown'])
    expect(watch.get('shown')).toBe(null)
    desk.answerWith(() => ({ json: { cancellations: [view('shown')] } }))
    tell(changed)
    await vi.waitFor(() => expect(watch.get('shown')?.outcome).toBe('requested'))
    const cancelled = view('shown', { outcome: 'cancelled', closed: true })
    desk.answerWith(() => ({ json: { cancellations: [cancelled] } }))
    tell({ ids: ['shown'] })
    await vi.waitFor(() => expect(watch.get('shown')?.closed).toBe(true), TIMEOUT)
    // Requested by others, it is shown; what becomes of it is announced.
    expect(announced).toEqual(['cancelled'])
    const asked = desk.arrived.flatMap(({ path }) => path.split('?')[1] ?? [])
    expect(new Set(asked)).toEqual(new Set(['paymentId=shown']))
    await close()
  })

  it('says that what others requested has ended, where it is heard of only then', async () => {
    const { desk, watch, tell, close } = await startWatch()
    const closed: string[] = []
    watch.onClosed(({ paymentId }) => closed.push(paymentId))
    desk.answerWith(() => ({ json: { cancellations: [view('old', { outcome: 'cancelled', closed: true })] } }))
    await watch.load(['old', 'shown'])
    expect(closed).toEqual([])
    desk.answerWith(() => ({ json: { cancellations: [view('shown', { outcome: 'cancelled', closed: true })] } }))
    tell({ ids: ['shown'] })
    await vi.waitFor(() => expect(closed).toEqual(['shown']))
    await close()
  })

  it('reads again what it was told of where the desk did not answer', async () => {
    const { desk, watch, tell, close } = await startWatch()
    const leave = watch.showList()
    let failures = 0
    desk.answerWith(({ path }) => {
      if (failures > 0 || !path.includes('other')) return { json: { cancellations: [view('other')] } }
      failures += 1
      return { status: 503 }
    })
    tell({ ids: ['other'] })
    await vi.waitFor(() => expect(watch.get('other')?.outcome).toBe('requested'), TIMEOUT)
    leave()
    await close()
  })

  it('says what has ended of those that were read where later ones fail, and reads only these again', async () => {
    const { desk, watch, tell, close } = await startWatch()
    const closed: string[] = []
    watch.onClosed(({ paymentId }) => closed.push(paymentId))
    const leave = watch.showList()
    const batches: string[][] = []
    desk.answerWith(({ path }) => {
      const ids = new URLSearchParams(path.split('?')[1]).getAll('paymentId')
      if (ids.length > 0) batches.push(ids)
      if (batches.length === 2 && ids.length > 0) return { status: 503 }
      return { json: { cancellations: ids.map((id) => view(id, { outcome: 'cancelled', closed: true })) } }
    })
    const ids = Array.from({ length: 101 }, (_, at) => `of-many-${at}`)
    tell({ ids })
    await vi.waitFor(() => expect(closed).toEqual(ids), TIMEOUT)
    expect(batches.map(({ length }) => length)).toEqual([100, 1, 1])
    leave()
    await close()
  })

  it('reads what it knows, and others’ where a list is shown, without waiting for a poll', async () => {
    const { desk, watch, tell, close } = await startWatch()
    const announced: string[] = []
    watch.onOutcomeChange(({ view: { paymentId } }) => announced.push(paymentId))
    desk.answerWith(({ path }) => {
      const ids = new URLSearchParams(path.split('?')[1]).getAll('paymentId')
      return { json: { cancellations: ids.map((id) => view(id, { outcome: 'cancelled', closed: true })) } }
    })
    watch.remember(view('own'))
    tell({ ids: ['own', 'other'] })
    await vi.waitFor(() => expect(watch.get('own')?.closed).toBe(true))
    expect(watch.get('other')).toBe(null)
    const leave = watch.showList()
    tell({ ids: ['other'] })
    await vi.waitFor(() => expect(watch.get('other')?.outcome).toBe('cancelled'), TIMEOUT)
    // Its own was announced when it was requested and when it ended; another's, new here, is only shown.
    expect(announced).toEqual(['own', 'own'])
    const asked = desk.arrived.flatMap(({ path }) => path.split('?')[1] ?? [])
    expect(asked).toEqual(['paymentId=own', 'paymentId=other'])
    leave()
    await close()
  })
})

describe('reading again', () => {
  const setVisibility = (value: string) => {
    Object.defineProperty(document, 'visibilityState', { value, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }
  const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

  it('happens one at a time, and once for all that is asked for meanwhile', async () => {
    let running = 0
    let most = 0
    let begun = 0
    let reads = 0
    const again = createReadAgain(async () => {
      begun += 1
      running += 1
      most = Math.max(most, running)
      await new Promise((resolve) => setTimeout(resolve, 200))
      running -= 1
      reads += 1
    }, 10)
    for (let count = 0; count < 5; count += 1) again.request()
    await vi.waitFor(() => expect(begun).toBe(1))
    for (let count = 0; count < 5; count += 1) again.request()
    await vi.waitFor(() => expect(reads).toBe(2))
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect([most, reads]).toEqual([1, 2])
    again.stop()
  })

  it('waits while the page is hidden', async () => {
    let reads = 0
    const again = createReadAgain(async () => (reads += 1), 0)
    setVisibility('hidden')
    again.request()
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(reads).toBe(0)
    setVisibility('visible')
    await vi.waitFor(() => expect(reads).toBe(1))
    again.stop()
  })
  it('waits also where the page was hidden before its time came', async () => {
    let reads = 0
    const again = createReadAgain(async () => (reads += 1), 0, 50)
    again.request()
    setVisibility('hidden')
    await pause(120)
    expect(reads).toBe(0)
    setVisibility('visible')
    await vi.waitFor(() => expect(reads).toBe(1))
    again.stop()
  })

  it.each([
    ['is done again where it failed for a reason that passes, later each time', new CallError(503, 'stopping'), 3],
    ['is done again where a page came in place of a reply', new CallError(200, 'desk-bad-reply'), 3],
    ['is done again where something in between refused it', new CallError(404, 'http-404'), 3],
    ['is left where it was refused', new CallError(403, 'forbidden'), 1],
    ['is left where what it reads is gone', new CallError(404, 'not-found'), 1],
    ['is left where nobody is signed in, whoever says so', new CallError(401, 'http-401'), 1],
  ])('%s', async (_, error, most) => {
    vi.useFakeTimers()
    const times: number[] = []
    const begun = performance.now()
    const again = createReadAgain(async () => {
      times.push(performance.now() - begun)
      if (times.length < 3) throw error
    }, 1_000)
    again.request()
    await vi.advanceTimersByTimeAsync(20_000)
    expect(times).toEqual([0, 2_000, 6_000].slice(0, most))
    again.stop()
    vi.useRealTimers()
  })
})
