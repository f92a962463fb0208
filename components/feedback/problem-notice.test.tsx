import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { SearchParamsContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CallError } from '@/lib/client/api-client'
import { type Go, guardLeaving } from '@/lib/client/page-lifecycle'
import { type ProblemInfo, toProblemInfo } from './problem-display'
import { ProblemNotice } from './problem-notice'

const facts: ProblemInfo = {
  status: 429,
  code: 'upstream-slow-down',
  title: 'The provider asked us to slow down',
  detail: null,
  instance: 'request-1',
  retryAfter: 3,
  upstream: null,
  messages: [],
}

const at = (query: string) => ({
  wrapper: ({ children }: { children: ReactNode }) => (
    <SearchParamsContext value={new URLSearchParams(query)}>{children}</SearchParamsContext>
  ),
})

beforeEach(() => void vi.useFakeTimers())

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

describe('a problem', () => {
  it('holds Retry back while the answer asks to wait, and counts down', () => {
    const onRetry = vi.fn<() => void>()
    render(<ProblemNotice problem={facts} onRetry={onRetry} />, at(''))
    const retry = screen.getByRole('button', { name: 'Retry' })
    expect(retry.getAttribute('aria-disabled')).toBe('true')
    expect(retry.textContent).toContain('in 3 s')
    fireEvent.click(retry)
    expect(onRetry).not.toHaveBeenCalled()
    act(() => void vi.advanceTimersByTime(2_000))
    expect(retry.textContent).toContain('in 1 s')
    act(() => void vi.advanceTimersByTime(1_000))
    expect(retry.getAttribute('aria-disabled')).toBeNull()
    fireEvent.click(retry)
    expect(onRetry).toHaveBeenCalledTimes(1)
  })

  it('offers to load a page that others have changed again, and asks first where something was typed', () => {
    const conflict = { ...facts, status: 409, code: 'conflict', retryAfter: null }
    const guard = vi.fn<(go: Go) => void>()
    const endGuard = guardLeaving(guard)
    const { rerender } = render(<ProblemNotice problem={conflict} reloads />, at(''))
    fireEvent.click(screen.getByRole('button', { name: 'Reload the page' }))
    expect(guard).toHaveBeenCalledTimes(1)
    endGuard()
    rerender(<ProblemNotice problem={facts} reloads />)
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('goes on counting however often the page renders the same error', () => {
    const error = new CallError(429, 'upstream-throttled', null, 9)
    const show = () => <ProblemNotice problem={toProblemInfo(error)} onRetry={() => undefined} />
    const { rerender } = render(show(), at(''))
    act(() => void vi.advanceTimersByTime(2_000))
    rerender(show())
    expect(screen.getByRole('button').textContent).toContain('in 7 s')
  })

  it('counts anew for the next answer', () => {
    const { rerender } = render(<ProblemNotice problem={facts} onRetry={() => undefined} />, at(''))
    act(() => void vi.advanceTimersByTime(3_000))
    rerender(<ProblemNotice problem={{ ...facts, retryAfter: 5 }} onRetry={() => undefined} />)
    expect(screen.getByRole('button').textContent).toContain('in 5 s')
  })

  it('reads the page of the same address again where no script runs', () => {
    const { container } = render(
      <ProblemNotice problem={facts} onRetry={() => undefined} />,
      at('state=Pending&merchant=m'),
    )
    const form = container.querySelector('form')
    expect([form?.method, form?.action]).toEqual(['get', location.href])
    expect(screen.getByRole('button', { name: 'Retry' }).getAttribute('type')).toBe('submit')
    expect(Array.from(new FormData(form ?? undefined))).toEqual([
      ['merchant', 'm'],
      ['state', 'Pending'],
    ])
  })

  it.each([
    [401, 'signed-out', 'refused', 'You’re signed out'],
    [403, 'forbidden', 'refused', 'Your role doesn’t allow this'],
    [403, 'upstream-forbidden', 'refused', 'This was refused'],
    [429, 'upstream-slow-down', 'slow-down', 'Too many requests'],
    [0, 'desk-unreachable', 'unreachable', 'Debitdesk can’t be reached'],
    [502, 'upstream-unreachable', 'unreachable', 'The provider can’t be reached'],
    [504, 'upstream-timeout', 'unreachable', 'The provider didn’t answer in time'],
    [502, 'upstream-credential', 'broken', 'The provider doesn’t accept Debitdesk’s credentials'],
    [500, 'http-500', 'broken', 'That didn’t work'],
  ])('%d %s has the face %s', (status, code, face, title) => {
    render(<ProblemNotice problem={{ ...facts, status, code, title: null, retryAfter: null }} />)
    expect(screen.getByRole('alert').dataset.problem).toBe(face)
    expect(screen.getByText(title)).toBeTruthy()
  })

  it('asks who somebody is without particulars of a fault', () => {
    const stepUp = { ...facts, status: 403, code: 'step-up', detail: 'At most five minutes old.', retryAfter: null }
    render(<ProblemNotice problem={stepUp} />)
    expect(screen.getByText('We need to know that it’s you')).toBeTruthy()
    expect(screen.queryByText('At most five minutes old.')).toBeNull()
    expect(screen.queryByText('request-1')).toBeNull()
  })

  it('says once why the service refuses, and does not advise to wait', () => {
    const upstream = { status: 400, title: 'Not valid', detail: 'url: must be https.', instance: null }
    const refused = { ...facts, status: 422, code: 'upstream-refused', detail: 'url: must be https.', retryAfter: null }
    render(<ProblemNotice problem={{ ...refused, upstream }} onRetry={() => undefined} />, at(''))
    expect(screen.getAllByText(/url: must be https\./u)).toHaveLength(1)
    expect(screen.getByText(/400 · Not valid$/u)).toBeTruthy()
    expect(screen.queryByText('Try again in a moment.')).toBeNull()
  })

  it('gives the particulars and the service’s own words', () => {
    const upstream = { status: 503, title: 'Maintenance', detail: 'Back at nine', instance: 'trace-7' }
    render(
      <ProblemNotice problem={{ ...facts, status: 502, detail: 'It answered 503.', retryAfter: null, upstream }} />,
    )
    expect(screen.getByText('It answered 503.')).toBeTruthy()
    expect(screen.getByText('request-1')).toBeTruthy()
    expect(screen.getByText(/503 · Maintenance · Back at nine · trace-7/u)).toBeTruthy()
  })

  it('says once what the service says as its title, and lists its messages', () => {
    const errors = { '': ['The number exists already.'], customerId: ['Has open payments.', 'No'] }
    const title = 'One or more validation errors occurred.'
    const problem = { type: 'upstream-refused', title: 'Refused', status: 422, detail: title, errors }
    const error = new CallError(422, 'upstream-refused', { ...problem, upstream: { status: 400, title } })
    render(<ProblemNotice problem={toProblemInfo(error)} />)
    expect(screen.getAllByText(/One or more/u)).toHaveLength(1)
    expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      'The number exists already.',
      'customerId: Has open payments. No',
    ])
  })
})
