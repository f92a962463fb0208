import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { byteOrderMark, storePart } from '@/lib/server/exports/export-parts'
import { activity, defaultConnectionId } from '@/lib/server/store/schema'
import { listExportParts, listExports } from '@/lib/server/store/export-schema'
import { testOrigin, VisitorDesk } from '@/lib/server/testing/auth-fixture'
import { GET, HEAD } from './route'

const desk = new VisitorDesk()
const texts = ['reference\r\n', 'INV-1\r\n', 'Ærø\r\n']
const whole = byteOrderMark + texts.join('')

/** An ended export whose stored parts were tampered with. */
async function keepExport(damage: Partial<Record<number, 'changed' | 'gone'>> = {}): Promise<string> {
  const id = randomUUID()
  const query = { list: 'listPayments' as const, asked: null, rest: null, order: null, filters: {}, columns: [] }
  await desk.db.insert(listExports).values({
    id,
    connectionId: defaultConnectionId,
    userId: desk.userId,
    startedBy: desk.account.email,
    query: { ...query, zone: 'UTC' },
    state: 'complete',
    parts: texts.length,
    bytes: Buffer.byteLength(whole),
    sha256: 'a'.repeat(64),
  })
  for (const [part, text] of texts.entries()) {
    await storePart(desk.db, { exportId: id, part, text })
    const here = and(eq(listExportParts.exportId, id), eq(listExportParts.part, part))
    if (damage[part] === 'changed') await desk.db.update(listExportParts).set({ text: 'AAAA' }).where(here)
    if (damage[part] === 'gone') await desk.db.delete(listExportParts).where(here)
  }
  return id
}

function take(exportId: string, method = 'GET'): Promise<Response> {
  const request = new Request(`${testOrigin}/api/desk/exports/${exportId}/file`, {
    method,
    headers: { cookie: desk.visitor.cookieHeader, 'sec-fetch-site': 'same-origin' },
  })
  return (method === 'HEAD' ? HEAD : GET)(request, { params: Promise.resolve({ exportId }) })
}

it('says how long it is, so that a browser can tell a part of it from the whole', async () => {
  const response = await take(await keepExport())
  expect([response.status, response.headers.get('content-length')]).toEqual([200, String(Buffer.byteLength(whole))])
  expect(Buffer.from(await response.arrayBuffer()).toString('utf8')).toBe(whole)
})

it('is not taken by HEAD, which says the same of it', async () => {
  const before = await desk.db.$count(activity)
  const { status, headers } = await take(await keepExport(), 'HEAD')
  expect([status, headers.get('content-length')]).toEqual([200, String(Buffer.byteLength(whole))])
  expect(await desk.db.$count(activity)).toBe(before)
})

it.each([
  ['its first part was changed', { 0: 'changed' }],
  ['its last part was changed', { 2: 'changed' }],
  ['its last part is gone', { 2: 'gone' }],
] as const)('is refused, and not taken down as taken, where %s', async (_, damage) => {
  const before = await desk.db.$count(activity)
  const response = await take(await keepExport(damage))
  expect(response.status).toBe(503)
  expect((await response.json()).detail).toBe('The file can’t be opened here any more. Export the list again.')
  expect(await desk.db.$count(activity)).toBe(before)
})

it.each(['changed', 'gone'] as const)('breaks off, and never ends, where a part between them is %s', async (damage) => {
  const response = await take(await keepExport({ 1: damage }))
  expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(whole)))
  await expect(response.arrayBuffer()).rejects.toMatchObject({ code: 'secret-locked' })
})
