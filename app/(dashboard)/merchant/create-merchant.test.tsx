import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { CreatedNotice } from './create-merchant'

it('holds the token of a new merchant only while somebody has asked to see it', () => {
  const { container } = render(<CreatedNotice created={{ id: 'm1', handle: 'mer_1', token: 'secret-token' }} />)
  expect(container.textContent).toContain('mer_1')
  expect(document.documentElement.outerHTML).not.toContain('secret-token')
  fireEvent.click(screen.getByRole('button', { name: 'Show token' }))
  expect(container.textContent).toContain('secret-token')
  fireEvent.click(screen.getByRole('button', { name: 'Hide token' }))
  expect(document.documentElement.outerHTML).not.toContain('secret-token')
})
