import { act, fireEvent, render, screen } from '@testing-library/react'
import { SearchParamsContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime'
import { useEffect, useState } from 'react'
import { expect, it } from 'vitest'
import { facts } from '../data-table/testing/render-rows'
import { AppConfigProvider } from '../layout/app-config'
import { type Lookup, LookupStatus } from './lookup-status'

/** Opens a page with the status of a lookup; it is gone once null is shown. */
function open(first: Lookup): { show: (lookup: Lookup | null) => void } {
  let show: (lookup: Lookup | null) => void = () => undefined
  function Page() {
    const [lookup, setLookup] = useState<Lookup | null>(first)
    useEffect(() => {
      show = setLookup
    }, [])
    return (
      <main id="content" tabIndex={-1}>
        {lookup ? <LookupStatus lookup={lookup} onAgain={() => setLookup({ kind: 'looking', scanned: 0 })} /> : null}
      </main>
    )
  }
  render(
    <SearchParamsContext value={new URLSearchParams()}>
      <AppConfigProvider config={facts}>
        <Page />
      </AppConfigProvider>
    </SearchParamsContext>,
  )
  return { show: (lookup) => show(lookup) }
}

it.each([
  ['Look again', { kind: 'gave-up', scanned: 1_000 }],
  ['Retry', { kind: 'failed', error: new Error('down') }],
] as const)('“%s” leads the focus to what takes its place, also where it fails again', (name, first) => {
  const { show } = open(first)
  const button = screen.getByRole('button', { name })
  button.focus()
  fireEvent.click(button)
  expect(document.activeElement?.contains(screen.getByRole('status'))).toBe(true)
  expect(document.activeElement?.id).toBe('')
  act(() => show({ kind: 'failed', error: new Error('down') }))
  expect(document.activeElement?.contains(screen.getByRole('alert'))).toBe(true)
  expect(document.activeElement?.id).toBe('')
  act(() => show(null))
  expect(document.activeElement?.id).toBe('content')
})

it('what was found without having been asked for again leaves the focus where it is', () => {
  const { show } = open({ kind: 'looking', scanned: 0 })
  act(() => show(null))
  expect(document.activeElement).toBe(document.body)
})
