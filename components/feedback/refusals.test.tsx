import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { RoleRefusal } from './refusals'

afterEach(cleanup)

it.each([
  [undefined, 'Only an admin can start bulk cancellations.'],
  ['bulk', 'Only these roles can start bulk cancellations: Admin and Support.'],
] as const)('a refusal of what needs the permission %s says: %s', (permission, expected) => {
  const { container } = render(<RoleRefusal what="start bulk cancellations" permission={permission} />)
  expect(container.textContent).toContain(`Your role doesn’t allow this${expected}`)
})
