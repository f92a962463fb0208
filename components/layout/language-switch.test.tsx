import { act, fireEvent, render, screen } from '@testing-library/react'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { Suspense, startTransition, use, useState } from 'react'
import { expect, it, vi } from 'vitest'
import { router, setDeskForEach } from '@/lib/client/testing/page'
import type { Language } from '@/lib/language/runtime'
import { AccountLanguage } from './language-switch'
import { QueryProvider } from './query-provider'

const desk = setDeskForEach()

function Shown({ chosen }: { chosen: Promise<Language> }) {
  return <AccountLanguage chosen={use(chosen)} />
}

it('the chosen language stays chosen until the page is there in it', async () => {
  desk.answerWith(() => ({ json: { language: 'da' } }))
  let finish: (language: Language) => void = () => undefined
  const refresh = vi.fn<() => void>()
  function Page() {
    const [chosen, setChosen] = useState<Promise<Language>>(() => Promise.resolve('en'))
    refresh.mockImplementation(() =>
      startTransition(() => setChosen(new Promise<Language>((resolve) => (finish = resolve)))),
    )
    return (
      <Suspense>
        <Shown chosen={chosen} />
      </Suspense>
    )
  }
  await act(async () =>
    render(
      <AppRouterContext value={{ ...router, refresh }}>
        <QueryProvider>
          <Page />
        </QueryProvider>
      </AppRouterContext>,
    ),
  )
  const select = screen.getByRole<HTMLSelectElement>('combobox')
  const seen: string[] = []
  fireEvent.change(select, { target: { value: 'da' } })
  await vi.waitFor(() => expect(select.value).toBe('da'))
  const watch = setInterval(() => seen.push(select.value))
  await vi.waitFor(() => expect(refresh).toHaveBeenCalledOnce())
  await new Promise((resolve) => setTimeout(resolve, 50))
  await act(async () => finish('da'))
  clearInterval(watch)
  expect(new Set([...seen, select.value])).toEqual(new Set(['da']))
})
