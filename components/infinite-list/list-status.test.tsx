import { act, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { facts } from '../data-table/testing/render-rows'
import { AppConfigProvider } from '../layout/app-config'
import { ListStatus } from './list-status'
import { setListStage } from './testing/open-list'

const stage = setListStage()

afterEach(async () => {
  vi.useRealTimers()
  await stage.close()
})

it('goes on telling how much is loaded where more came just as it told the last', async () => {
  await stage.open(() => ({ body: { results: [], hasMore: true, nextOffset: '1' } }), { seen: null })
  vi.useFakeTimers()
  const show = (loaded: number) => (
    <AppConfigProvider config={facts}>
      <ListStatus
        list={{ ...stage.list, pagination: { kind: 'more' }, loaded, size: loaded }}
        isFilteredClientSide={false}
      />
    </AppConfigProvider>
  )
  const { rerender } = render(show(100))
  for (const loaded of [200, 300]) rerender(show(loaded))
  const told = () => screen.getByRole('status').textContent
  expect(told()).toContain('200')
  act(() => {
    vi.advanceTimersByTime(1_500)
    rerender(show(400))
  })
  expect(told()).toContain('300')
  act(() => void vi.advanceTimersByTime(1_500))
  expect(told()).toContain('400')
})

it('keeps the focus of a button that went with the last page, and takes none that it had not', async () => {
  await stage.open(() => ({ body: { results: [], hasMore: true, nextOffset: '1' } }), { seen: null })
  const show = (kind: 'more' | 'loading' | 'complete') => (
    <AppConfigProvider config={facts}>
      <ListStatus list={{ ...stage.list, pagination: { kind }, loaded: 100, size: 100 }} isFilteredClientSide={false} />
    </AppConfigProvider>
  )
  const { rerender } = render(show('more'))
  rerender(show('complete'))
  expect(document.activeElement).toBe(document.body)
  rerender(show('more'))
  act(() => screen.getByRole('button', { name: 'Load more' }).focus())
  rerender(show('loading'))
  rerender(show('complete'))
  expect(document.activeElement).toBe(screen.getByRole('status').parentElement)
})

it('of another view its first state is told, then only what lasts, or the end', async () => {
  await stage.open(() => ({ body: { results: [], hasMore: true, nextOffset: '1' } }), { seen: null })
  vi.useFakeTimers()
  const show = (view: string, kind: 'more' | 'loading' | 'complete', loaded: number) => (
    <AppConfigProvider config={facts}>
      <ListStatus
        list={{ ...stage.list, pagination: { kind }, loaded, size: loaded }}
        view={view}
        isFilteredClientSide={false}
      />
    </AppConfigProvider>
  )
  const { rerender } = render(show('all', 'more', 300))
  const told = () => screen.getByRole('status').textContent
  const heard: (string | null)[] = []
  for (const [kind, loaded] of [
    ['loading', 0],
    ['loading', 100],
    ['loading', 200],
    ['more', 300],
  ] as const) {
    rerender(show('pending', kind, loaded))
    heard.push(told())
  }
  expect(heard).toEqual(Array(4).fill('Loading'))
  act(() => void vi.advanceTimersByTime(1_500))
  expect(told()).toBe('300 loaded')
  rerender(show('nobody', 'loading', 0))
  rerender(show('nobody', 'complete', 0))
  expect(told()).toBe('No rows')
})
