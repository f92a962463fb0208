// @vitest-environment jsdom
import { render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { ChangedNotice } from './cancel-reply'
import { setStageForEach, Shell } from './testing/cancel-fixture'

const stage = setStageForEach()
afterEach(() => {
  document.documentElement.lang = 'en'
})

it('what has changed about a payment is said in the reader’s language, a state that is not documented as it came', () => {
  document.documentElement.lang = 'da'
  const difference = { status: { seen: 'Pending', now: 'OnHold' }, currency: { seen: 'DKK', now: 'SEK' } }
  render(
    <Shell>
      <ChangedNotice difference={difference} payment={stage.payment} />
    </Shell>,
  )
  const rows = screen.getAllByRole('row').map(({ textContent }) => textContent)
  expect(rows.slice(1)).toEqual(['TilstandAfventerOnHold', 'ValutaDKKSEK'])
})
