import { render, screen } from '@testing-library/react'
import { RefreshCw } from 'lucide-react'
import { expect, it } from 'vitest'
import { Button } from './button'

it('a busy button shows a spinner before its icon, which makes way for it', () => {
  const button = (busy: boolean) => (
    <Button aria-busy={busy}>
      <RefreshCw />
      Refresh
    </Button>
  )
  const { rerender } = render(button(false))
  const icons = () => [...screen.getByRole('button').children].map(({ classList }) => classList[1])
  expect(icons()).toEqual(['lucide-refresh-cw'])
  rerender(button(true))
  expect(icons()).toEqual(['lucide-loader-circle', 'lucide-refresh-cw'])
})
