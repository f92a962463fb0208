import { afterAll, beforeAll, expect, it } from 'vitest'
import { viewRequest } from './schema'
import type { OpenDatabase } from '@/lib/database/database'
import { activity } from '../store/schema'
import { makeSession, openMemoryStore } from '../testing/store-fixture'
import { deleteView, listViews, readDefaultView, renameView, saveView, setDefaultView, updateView } from './saved-views'

let store: OpenDatabase
const [admin, ann, bob, viewer] = (['admin', 'support', 'support', 'viewer'] as const).map((role) => makeSession(role))
if (!admin || !ann || !bob || !viewer) throw new Error('there are four')

beforeAll(async () => {
  store = await openMemoryStore()
})
afterAll(() => store.close())

const names = async (session: typeof ann) =>
  (await listViews(store.db, session, 'payments')).views.map(({ name }) => name)
const save = (session: typeof ann, name: string, isShared = false) =>
  saveView(store.db, session, { list: 'payments', name, query: 'state=Pending&sort=-amount', isShared })

it('shows shared views to everybody at the merchant and own ones to nobody else', async () => {
  await save(ann, 'Ann’s own')
  await save(ann, 'Large and pending', true)
  await save(bob, 'ann’s OWN')
  expect(await names(ann)).toEqual(['Ann’s own', 'Large and pending'])
  expect(await names(bob)).toEqual(['ann’s OWN', 'Large and pending'])
  expect(await names(viewer)).toEqual(['Large and pending'])
  expect((await listViews(store.db, admin, 'customers')).views).toEqual([])
  expect(await names({ ...ann, scope: { ...ann.scope, connectionId: 'other' } })).toEqual([])
})

it('takes a name once, whatever its case', async () => {
  await expect(save(bob, 'LARGE and pending', true)).rejects.toMatchObject({ code: 'conflict' })
  await expect(save(ann, 'ANN’S OWN')).rejects.toMatchObject({ code: 'conflict' })
})

it('is shared by who does more than read, and changed by who saved it or an admin', async () => {
  await expect(save(viewer, 'For all', true)).rejects.toMatchObject({ code: 'forbidden' })
  const { viewId } = await save(ann, 'Shared', true)
  await expect(renameView(store.db, bob, viewId, 'Taken over')).rejects.toMatchObject({ code: 'forbidden' })
  await expect(deleteView(store.db, viewer, viewId)).rejects.toMatchObject({ code: 'forbidden' })
  expect(await renameView(store.db, ann, viewId, 'Shared, renamed')).toMatchObject({ name: 'Shared, renamed' })
  await expect(updateView(store.db, bob, viewId, 'state=Settled')).rejects.toMatchObject({ code: 'forbidden' })
  await setDefaultView(store.db, bob, viewId, true)
  const updated = { viewId, name: 'Shared, renamed', query: 'state=Settled', isShared: true, savedBy: ann.email }
  expect(await updateView(store.db, admin, viewId, 'state=Settled')).toMatchObject(updated)
  expect(await readDefaultView(store.db, bob, 'payments')).toBe('state=Settled')
  await deleteView(store.db, admin, viewId)
  await expect(updateView(store.db, admin, viewId, '')).rejects.toMatchObject({ code: 'not-found' })
  await expect(deleteView(store.db, admin, viewId)).rejects.toMatchObject({ code: 'not-found' })
  const own = await save(ann, 'Not for others')
  await expect(deleteView(store.db, admin, own.viewId)).rejects.toMatchObject({ code: 'not-found' })
})

it('opens a list for one user, until it is no longer the default or no longer there', async () => {
  const { viewId } = await save(ann, 'Mine first', true)
  await setDefaultView(store.db, ann, viewId, true)
  await setDefaultView(store.db, bob, viewId, true)
  expect(await readDefaultView(store.db, ann, 'payments')).toBe('state=Pending&sort=-amount')
  expect(await readDefaultView(store.db, viewer, 'payments')).toBeNull()
  expect(await readDefaultView(store.db, ann, 'customers')).toBeNull()
  await setDefaultView(store.db, ann, viewId, false)
  expect(await readDefaultView(store.db, ann, 'payments')).toBeNull()
  await deleteView(store.db, ann, viewId)
  expect(await readDefaultView(store.db, bob, 'payments')).toBeNull()
})

it('is no longer changed by who shared it and became a viewer, but by an admin', async () => {
  const { viewId } = await save(ann, 'Shared by a viewer', true)
  const demoted = { ...ann, role: 'viewer' as const }
  const own = await save(demoted, 'A viewer’s own')
  expect(await updateView(store.db, demoted, own.viewId, '')).toMatchObject({ mayChange: true })
  const shared = (await listViews(store.db, demoted, 'payments')).views.find((view) => view.viewId === viewId)
  expect(shared?.mayChange).toBe(false)
  await expect(updateView(store.db, demoted, viewId, '')).rejects.toMatchObject({ code: 'forbidden' })
  await expect(deleteView(store.db, demoted, viewId)).rejects.toMatchObject({ code: 'forbidden' })
  await deleteView(store.db, admin, viewId)
})

it('is written down, with what it showed before and after', async () => {
  const rows = await store.db.select({ action: activity.action, details: activity.details }).from(activity)
  const updates = rows.filter(({ action }) => action === 'view.update')
  expect(updates[0]?.details).toMatchObject({
    before: { state: 'Pending', sort: '-amount' },
    after: { state: 'Settled' },
  })
  expect(new Set(rows.map(({ action }) => action))).toEqual(
    new Set(['view.save', 'view.rename', 'view.update', 'view.delete']),
  )
})

it('keeps no more of an address than makes the view', () => {
  const given = { list: 'payments', name: ' Pending ', query: 'state=Pending&open=x&merchant=m', isShared: false }
  expect(viewRequest.parse(given)).toMatchObject({ name: 'Pending', query: 'state=Pending' })
  expect(viewRequest.safeParse({ ...given, name: ' ' }).success).toBe(false)
  expect(viewRequest.safeParse({ ...given, name: 'a\nb' }).success).toBe(false)
})
