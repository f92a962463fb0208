import { randomUUID } from 'node:crypto'
import { afterEach, expect, it, vi } from 'vitest'
import type { Session } from '@/lib/server/auth/session'
import { getSettings } from '@/lib/server/runtime/settings'
import { ExportFixture, makePayments } from '@/lib/server/testing/export-fixture'
import { makeSession } from '@/lib/server/testing/store-fixture'
import Page from './page'

const fixture = new ExportFixture(makePayments(3))
let reader: Session

vi.mock('@/lib/server/auth/session', async (load) => ({
  ...(await load<typeof import('@/lib/server/auth/session')>()),
  requirePageSession: async () => reader,
}))

afterEach(() => vi.restoreAllMocks())

/** What the page is given for an address: the export to show first, and whether it is gone. */
async function open(session: Session, named?: string | string[]) {
  reader = session
  const page = await Page({ searchParams: Promise.resolve(named === undefined ? {} : { export: named }) })
  return page.props.children[1].props
}

it('the address opens the reader’s own export, and says of any other that it is gone', async () => {
  const { id } = await fixture.run()
  expect(await open(fixture.session, id)).toMatchObject({ opened: { exportId: id, rows: 3 }, isGone: false })
  expect(await open(fixture.session)).toMatchObject({ opened: undefined, isGone: false })
  const gone = { opened: undefined, isGone: true }
  for (const named of [randomUUID(), 'not-a-uuid', '', [id, id]])
    expect(await open(fixture.session, named)).toMatchObject(gone)
  expect(await open(makeSession('support'), id)).toMatchObject(gone)
  vi.spyOn(getSettings(), 'KEEP_EXPORTS', 'get').mockReturnValue(0)
  expect(await open(fixture.session, id)).toMatchObject(gone)
})
