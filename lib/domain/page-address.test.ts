import { expect, it } from 'vitest'
import { buildPagePath } from './page-address'

it.each([
  ['/customers', 'cu_1', '/customers/cu_1'],
  ['/customers', 'a/b?c', '/customers/a%2Fb%3Fc'],
  ['/customers', 'mandates', '/customers/mandates'],
  ['/customers', 'New', '/customers/New'],
] as const)('the page of a record below %s that is called %s', (section, id, address) => {
  expect(buildPagePath(section, id)).toBe(address)
})

it.each([
  ['/customers', ''],
  ['/customers', null],
  ['/customers', '.'],
  ['/customers', '..'],
  ['/customers', '\uD800'],
  ['/customers', 'new'],
  ['/customers', 'import'],
  ['/agreements', 'new'],
  ['/payments', 'bulk'],
  ['/payments', 'closing'],
] as const)('there is none below %s for %j: another page stands there, or nothing can (BF-03)', (section, id) => {
  expect(buildPagePath(section, id)).toBeNull()
})
