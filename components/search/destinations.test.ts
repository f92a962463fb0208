import { expect, it } from 'vitest'
import type { Role } from '@/lib/api-contract/permission'
import { findPlaces } from './destinations'

const find = (text: string, role: Role) => findPlaces(text, role).places.map(({ page }) => page)

it.each<[role: Role, found: string[], hidden: string[]]>([
  ['admin', ['/team', '/team/people', '/merchants', '/merchant/doctor', '/payments/bulk', '/customers/new'], []],
  ['support', ['/payments/bulk', '/merchants', '/exports'], ['/team', '/merchant/doctor', '/customers/new']],
  ['support-without-bulk', ['/payments', '/account'], ['/payments/bulk', '/customers/new', '/team/people']],
  ['viewer', ['/customers', '/merchants', '/team/roles'], ['/payments/bulk', '/team']],
])('finds for the role %s what it may open, and nothing else', (role, found, hidden) => {
  const places = find('', role)
  expect(places).toEqual(expect.arrayContaining(found))
  expect(places.filter((page) => hidden.includes(page))).toEqual([])
})

it('finds the exports by name, for who may export', () => {
  expect(find('export pay', 'viewer')).toContain('/payments?tool=export')
})
