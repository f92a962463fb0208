import { fireEvent, render, screen } from '@testing-library/react'
import { SearchParamsContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { facts } from '../data-table/testing/render-rows'
import { AppConfigProvider } from '../layout/app-config'
import { type Lookup, LookupStatus } from './lookup-status'

it.each([
  ['Look again', { kind: 'gave-up', scanned: 1_000 }],
  ['Retry', { kind: 'failed', error: new Error('down') }],
] as const)('“%s” leads the focus to the status that takes its place', (name, first) => {
  function Status() {
    const [lookup, setLookup] = useState<Lookup>(first)
    return <LookupStatus lookup={lookup} onAgain={() => setLookup({ kind: 'looking', scanned: 0 })} />
  }
  render(
    <SearchParamsContext value={new URLSearchParams()}>
      <AppConfigProvider config={facts}>
        <Status />
      </AppConfigProvider>
    </SearchParamsContext>,
  )
  const button = screen.getByRole('button', { name })
  button.focus()
  fireEvent.click(button)
  expect(document.activeElement).toBe(screen.getByRole('status'))
})
