import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { CancellationView } from '@/lib/domain/cancellations/cancellation'
import { type CancellationWatch, createCancellationWatch } from './cancellation-watch'
import { closePrompt } from './identity-prompt'
import type { Changed } from './live-changes'
import { type DeskServer, startDeskServer } from './testing/desk-server'

const base: CancellationView = {
  id: 'one',
  paymentId: 'pay-1',
  named: null,
  seen: null,
  outcome: 'requested',
  closed: false,
  reason: null,
  detail: null,
  text: 'Asked by phone',
  requestedBy: 'support@debitdesk.example',
  requestedAt: '2026-11-20T13:00:00.000Z',
  closedAt: null,
  checked: null,
  handled: null,
}
const ended: CancellationView = { ...base, outcome: 'cancelled', closed: true }

let desk: DeskServer
let watch: CancellationWatch
let stop: () => void

function setVisibility(state: 'visible' | 'hidden') {
  Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
  document.dispatchEvent(new Event('visibilitychange'))
}

function pause(milliseconds: number) {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds)
  })
}

beforeEach(async () => {
  desk = await startDeskServer()
  watch = createCancellationWatch({ delays: [5, 5, 40] })
  stop = watch.subscribe(() => {})
})

afterEach(async () => {
  stop()
  setVisibility('visible')
  await desk.close()
})

describe('the watch on cancellations', () => {
  it('asks for what is open until it has ended, then no more', async () => {
    desk.answerWith(() => ({ json: { cancellations: [desk.arrived.length < 3 ? base : ended] } }))
    watch.remember(base)
    await vi.waitFor(() => expect(watch.get('pay-1')?.outcome).toBe('cancelled'))
    const asked = desk.arrived.length
    expect(asked).toBe(3)
    expect(desk.arrived[0]?.path).toBe('/api/desk/cancellations?paymentId=pay-1')
    await pause(120)
    expect(desk.arrived.length).toBe(asked)
  })

  it('announces each change of an outcome once, with the payment in words', async () => {
    const said: string[] = []
    watch.subscribe(() => {
      const now = watch.getAnnouncement()
      if (now && said[now.sequence - 1] === undefined) said.push(now.text)
    })
    desk.answerWith(() => ({ json: { cancellations: [desk.arrived.length < 4 ? base : ended] } }))
    watch.remember(base, 'Jens Holm, 1,245.00 DKK')
    await vi.waitFor(() => expect(watch.get('pay-1')?.closed).toBe(true))
    expect(said).toEqual(['Cancellation requested: Jens Holm, 1,245.00 DKK', 'Cancelled: Jens Holm, 1,245.00 DKK'])
  })

  it('keeps what needs a person in sight where what was asked for anew was not sent', async () => {
    const doubt: CancellationView = { ...ended, outcome: 'needs-person' }
    const anew: CancellationView = { ...base, id: 'two', requestedAt: '2026-11-20T13:30:00.000Z' }
    const notSent: CancellationView = { ...anew, outcome: 'not-cancelled', closed: true, reason: 'not-sent' }
    const closed: string[] = []
    watch.onClosed(({ id }) => closed.push(id))
    watch.remember(doubt)
    watch.remember(notSent)
    expect(watch.get('pay-1')).toEqual(doubt)
    // The other way round, by a page that knows only the open one.
    const other = createCancellationWatch({ delays: [5] })
    const end = other.subscribe(() => {})
    desk.answerWith(() => ({ json: { cancellations: [doubt, notSent] } }))
    other.remember(anew)
    expect(other.get('pay-1')).toEqual(anew)
    await vi.waitFor(() => expect(other.get('pay-1')).toEqual(doubt))
    end()
    expect(closed).toEqual(['one', 'two'])
    const handled = { at: '2026-11-20T14:00:00.000Z', by: 'ann@debitdesk.example', note: 'Looked it up' }
    watch.remember({ ...doubt, handled })
    expect(watch.get('pay-1')).toEqual(notSent)
  })

  describe('what happened out of its sight', () => {
    const doubt: CancellationView = { ...ended, outcome: 'needs-person' }
    const anew: CancellationView = { ...base, id: 'two', requestedAt: '2026-11-20T13:30:00.000Z' }
    const notSent: CancellationView = { ...anew, outcome: 'not-cancelled', closed: true, reason: 'not-sent' }
    const third: CancellationView = { ...notSent, id: 'three', requestedAt: '2026-11-20T13:50:00.000Z' }

    it('one that has closed meanwhile hides what needs a person no more', async () => {
      desk.answerWith(() => ({ json: { cancellations: [third, doubt] } }))
      watch.remember(doubt)
      watch.remember(anew)
      await vi.waitFor(() => expect(watch.get('pay-1')).toEqual(doubt))
    })

    it('what was taken over and is left out of the reply needs nobody any more', async () => {
      desk.answerWith(() => ({ json: { cancellations: [third] } }))
      watch.remember(doubt)
      await watch.load(['pay-1'])
      expect(watch.get('pay-1')).toEqual(third)
    })

    it('a reply that was asked for before takes neither a request nor a note back', async () => {
      let release: () => void = () => undefined
      const held = new Promise<void>((resolve) => (release = resolve))
      desk.answerWith(async () => {
        await held
        return { json: { cancellations: [doubt] } }
      })
      watch.remember(doubt)
      const loading = watch.load(['pay-1'])
      await vi.waitFor(() => expect(desk.arrived).toHaveLength(1))
      const handled = { at: '2026-11-20T14:00:00.000Z', by: 'ann@debitdesk.example', note: 'Looked it up' }
      const checked = {
        at: '2026-11-20T13:59:00.000Z',
        by: 'ann@debitdesk.example',
        kind: 'absent',
        status: null,
      } as const
      watch.remember({ ...doubt, handled, checked })
      watch.remember(third)
      release()
      await loading
      expect(watch.get('pay-1')).toEqual(third)
      expect(watch.get('pay-1', doubt.id)).toEqual({ ...doubt, handled, checked })
    })

    it('a reply that was asked for before brings no older outcome back', async () => {
      let release: () => void = () => undefined
      const held = new Promise<void>((resolve) => (release = resolve))
      desk.answerWith(async () => {
        await held
        return { json: { cancellations: [base] } }
      })
      stop()
      watch.remember(base)
      const loading = Promise.all([watch.load(['pay-1']), watch.loadOpen()])
      await vi.waitFor(() => expect(desk.arrived).toHaveLength(2))
      watch.remember({ ...base, outcome: 'unknown' })
      release()
      await loading
      expect(watch.get('pay-1')?.outcome).toBe('unknown')
    })

    it('each can be followed by its own id beside the current one', () => {
      watch.remember(doubt)
      watch.remember(anew)
      watch.remember(notSent)
      expect(watch.get('pay-1')).toEqual(doubt)
      expect(watch.get('pay-1', anew.id)).toEqual(notSent)
    })
  })

  it.each([
    ['is on its way', {}],
    ['was cancelled', { outcome: 'cancelled', closed: true }],
    ['needs a person itself', { outcome: 'needs-person', closed: true }],
    ['found the payment cancelled', { outcome: 'not-cancelled', closed: true, reason: 'already-cancelled' }],
  ] as const)('what was asked for anew takes the matter over once it %s', (_, change) => {
    const anew: CancellationView = { ...base, id: 'two', requestedAt: '2026-11-20T13:30:00.000Z', ...change }
    watch.remember(anew)
    watch.remember({ ...ended, outcome: 'needs-person' })
    expect(watch.get('pay-1')).toEqual(anew)
  })

  it('says what came together together, the gravest first', async () => {
    const told: string[] = []
    watch.onOutcomeChange(({ text }) => told.push(text))
    desk.answerWith(() => ({
      json: {
        cancellations: [ended, { ...ended, id: 'other', paymentId: 'pay-2', outcome: 'not-cancelled', reason: null }],
      },
    }))
    watch.remember(base, 'Jens Holm')
    watch.remember({ ...base, id: 'other', paymentId: 'pay-2' }, 'Eva Lund')
    await vi.waitFor(() => expect(watch.get('pay-2')?.closed).toBe(true))
    expect(watch.getAnnouncement()).toMatchObject({
      text: 'Not cancelled: Eva Lund. Cancelled: Jens Holm',
      view: { paymentId: 'pay-2' },
    })
    expect(told.slice(-2)).toEqual(['Cancelled: Jens Holm', 'Not cancelled: Eva Lund'])
  })

  it('names five of what came together, failures first, and counts the others', async () => {
    const views = Array.from({ length: 8 }, (_, at) => ({ ...base, id: `id-${at}`, paymentId: `pay-${at}` }))
    const after = views.map((view, at) => ({
      ...ended,
      id: view.id,
      paymentId: view.paymentId,
      outcome: at > 5 ? ('needs-person' as const) : ended.outcome,
    }))
    desk.answerWith(() => ({ json: { cancellations: after } }))
    for (const view of views) watch.remember(view, view.paymentId)
    await vi.waitFor(() => expect(watch.get('pay-7')?.closed).toBe(true))
    expect(watch.getAnnouncement()?.text).toBe(
      'Needs a person: pay-6. Needs a person: pay-7. Cancelled: pay-0. Cancelled: pay-1. Cancelled: pay-2. And 3 more',
    )
  })

  it('says what came before a failure', async () => {
    const views = Array.from({ length: 101 }, (_, at) => ({ ...base, id: `id-${at}`, paymentId: `pay-${at}` }))
    // The first hundred are answered; on the last one the user is signed out, and polling stops.
    desk.answerWith(() =>
      desk.arrived.at(-1)?.path.includes('paymentId=pay-0&')
        ? { json: { cancellations: [{ ...ended, id: 'id-0', paymentId: 'pay-0' }] } }
        : { status: 401 },
    )
    for (const view of views) watch.remember(view, view.paymentId)
    await vi.waitFor(() => expect(watch.getAnnouncement()?.text).toBe('Cancelled: pay-0'))
    expect(watch.get('pay-100')?.closed).toBe(false)
  })

  it('tells once that a cancellation has ended', async () => {
    const closed = vi.fn<(view: CancellationView) => void>()
    watch.onClosed(closed)
    desk.answerWith(() => ({ json: { cancellations: [ended] } }))
    watch.remember(base)
    await vi.waitFor(() => expect(closed).toHaveBeenCalledTimes(1))
    watch.remember(ended)
    expect(closed).toHaveBeenCalledTimes(1)
  })

  it('does not announce what it finds on a page that was just opened', async () => {
    desk.answerWith(() => ({ json: { cancellations: [ended] } }))
    await watch.load(['pay-1'])
    expect(watch.get('pay-1')?.outcome).toBe('cancelled')
    expect(watch.getAnnouncement()).toBeNull()
  })

  it('goes on after a failure', async () => {
    desk.answerWith(() => (desk.arrived.length < 3 ? { status: 503 } : { json: { cancellations: [ended] } }))
    watch.remember(base)
    await vi.waitFor(() => expect(watch.get('pay-1')?.closed).toBe(true))
    expect(desk.arrived.length).toBe(3)
  })

  it('waits as long as it is told to', async () => {
    const times: number[] = []
    desk.answerWith(() => {
      times.push(performance.now())
      return times.length === 1
        ? { status: 429, headers: { 'retry-after': '1' } }
        : { json: { cancellations: [ended] } }
    })
    watch.remember(base)
    await vi.waitFor(() => expect(times.length).toBe(2), { timeout: 3_000 })
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(950)
  })

  it.each([
    ['is signed in again', () => closePrompt(true)],
    ['looks at the page again', () => setVisibility('visible')],
  ])('stops when the user is signed out, until the user %s', async (_what, comeBack) => {
    desk.answerWith(() => ({ status: 401, json: { type: 'urn:debitdesk:signed-out', status: 401 } }))
    watch.remember(base)
    await vi.waitFor(() => expect(desk.arrived.length).toBe(1))
    await pause(120)
    expect(desk.arrived.length).toBe(1)
    desk.answerWith(() => ({ json: { cancellations: [desk.arrived.length < 3 ? base : ended] } }))
    comeBack()
    await vi.waitFor(() => expect(watch.get('pay-1')?.closed).toBe(true))
  })

  it('goes on where the stream of changes opens, which it does for whoever is signed in', async () => {
    let tell: (changed: Changed) => void = () => undefined
    const live = {
      isLive: () => false,
      onState: () => () => undefined,
      onChange: (_: readonly string[], listener: (changed: Changed) => void) => {
        tell = listener
        return () => undefined
      },
    }
    const other = createCancellationWatch({ delays: [5], live })
    const end = other.subscribe(() => undefined)
    desk.answerWith(() => ({ status: 401 }))
    other.remember(base)
    await vi.waitFor(() => expect(desk.arrived.length).toBe(1))
    desk.answerWith(() => ({ json: { cancellations: [desk.arrived.length < 3 ? base : ended] } }))
    await pause(20)
    tell({ ids: null, missed: 'in-gap' })
    await vi.waitFor(() => expect(other.get('pay-1')?.closed).toBe(true))
    end()
  })

  it('rests while the page is out of sight and looks at once when it is back', async () => {
    desk.answerWith(() => ({ json: { cancellations: [base] } }))
    setVisibility('hidden')
    watch.remember(base)
    await pause(80)
    expect(desk.arrived.length).toBe(0)
    setVisibility('visible')
    await vi.waitFor(() => expect(desk.arrived.length).toBeGreaterThan(0))
  })

  it('asks nothing while nobody listens', async () => {
    stop()
    watch.remember(base)
    await pause(80)
    expect(desk.arrived.length).toBe(0)
  })

  it('never goes back from a newer cancellation to an older one, nor from an end', () => {
    watch.remember({ ...ended, id: 'two', requestedAt: '2026-11-20T14:00:00.000Z' })
    watch.remember(base)
    expect(watch.get('pay-1')?.id).toBe('two')
    watch.remember({ ...base, id: 'two', requestedAt: '2026-11-20T14:00:00.000Z' })
    expect(watch.get('pay-1')?.outcome).toBe('cancelled')
  })

  it('keeps those of two payments apart whose ids differ only in case, and knows a UUID in any case', () => {
    const uuid = '0b0a7c8d-aaaa-4bbb-8ccc-00000000000f'
    watch.remember({ ...base, paymentId: 'aBcDaQ0z' })
    watch.remember({ ...ended, id: 'two', paymentId: uuid.toUpperCase() })
    expect(watch.get('aBcDaQ0z')?.id).toBe('one')
    expect(watch.get('AbCdAq0Z')).toBeNull()
    expect(watch.get(uuid)?.id).toBe('two')
  })

  it('asks for many in batches that the desk accepts', async () => {
    desk.answerWith(() => ({ json: { cancellations: [] } }))
    await watch.load(Array.from({ length: 250 }, (_, index) => `pay-${index}`))
    expect(
      desk.arrived.map(({ path }) => new URL(path, 'http://desk').searchParams.getAll('paymentId').length),
    ).toEqual([100, 100, 50])
  })
})
