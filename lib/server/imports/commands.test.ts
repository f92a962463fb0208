import { describe, expect, it } from 'vitest'
import type { LineDecision } from '@/lib/domain/customers/customer-import'
import { createTenantScope } from '../auth/tenant-scope'
import { customerImportRows, customerImports } from '../store/import-schema'
import { activity } from '../store/schema'
import { ImportFixture } from '../testing/import-fixture'
import { decideLine } from './commands'
import { writeImportResult } from './import-record'

const fixture = new ImportFixture()
const lost = { resetBefore: true }

/** Applies a user's decision about a line, then runs the import. */
async function decide(importId: string, decision: LineDecision) {
  await decideLine(fixture.db, fixture.admin, importId, decision)
  const row = await fixture.find(importId)
  if (row.state === 'running') await fixture.work(row)
  return fixture.seen(importId)
}

describe('a file', () => {
  it('with what the store cannot hold is imported without the line that has it', async () => {
    const view = await fixture.run('Name,Number\nA\0nn,1\nBo\uD800,2\nCy,3\n')
    expect(view).toMatchObject({ state: 'done', counts: { created: 1, leftOut: 2 } })
    expect(fixture.service.customers.map(({ name }) => name)).toEqual(['Cy'])
    expect(await writeImportResult(fixture.db, view.importId)).toContain('A\u{FFFD}nn')
  })

  it('whose import is no longer kept was imported on a day of the scheme’s zone', async () => {
    await fixture.run('Name\nAnn\n')
    await fixture.db.delete(customerImportRows)
    await fixture.db.delete(customerImports)
    await fixture.db.update(activity).set({ at: new Date('2026-11-20T23:30:00Z') })
    await expect(fixture.start('Name\nAnn\n')).rejects.toMatchObject({
      code: 'conflict',
      evidence: { detail: expect.stringContaining('on 2026-11-21') },
    })
  })
})

describe('a person', () => {
  const hold = async () => {
    fixture.service.onCreate = () => ({ script: lost, creates: false })
    const view = await fixture.run('Name,Number\nAnn,1\n')
    expect(view.counts.held).toBe(1)
    fixture.service.onCreate = () => ({})
    return view.importId
  }

  it('lets a line be sent again, under the same key, and the log says who', async () => {
    const importId = await hold()
    expect(await decide(importId, { line: 2, decision: 'send-again' })).toMatchObject({
      state: 'done',
      counts: { created: 1, found: 0, unknown: 0 },
    })
    const [first, second] = fixture.service.creations.map(({ headers }) => headers['idempotency-key'])
    expect(second).toBe(first)
    expect((await fixture.noted()).findLast(({ action }) => action === 'import.line-send-again')).toMatchObject({
      actor: fixture.admin.email,
      objectId: importId,
      details: { line: 2 },
    })
  })

  it('is asked again where that reply is lost too, and where it is refused', async () => {
    const importId = await hold()
    fixture.service.onCreate = () => ({ script: lost, creates: false })
    expect(await decide(importId, { line: 2, decision: 'send-again' })).toMatchObject({ counts: { held: 1 } })
    const detail = 'There is such a customer.'
    const refusal = {
      status: 409,
      headers: { 'content-type': 'application/problem+json' },
      body: JSON.stringify({ detail }),
    }
    fixture.service.onCreate = () => ({ script: refusal, creates: false })
    expect(await decide(importId, { line: 2, decision: 'send-again' })).toMatchObject({
      counts: { held: 1, refused: 0 },
      doubts: [{ message: detail }],
    })
    await fixture.run('Name,Number\nAnn,1\n')
    expect(fixture.service.creations).toHaveLength(3)
  })

  it('chooses one of the customers that were found, and no other', async () => {
    const row = await fixture.start('Name\nAnn\n')
    await fixture.db.update(customerImportRows).set({ state: 'unknown' })
    const ann = fixture.service.add({ name: 'ann' })
    await fixture.work(row)
    const choose = (customerId?: string) => decide(row.id, { line: 2, decision: 'created', customerId })
    await expect(choose('another')).rejects.toMatchObject({ code: 'bad-request' })
    await expect(choose()).rejects.toMatchObject({ code: 'bad-request' })
    expect(await choose(ann.id)).toMatchObject({ state: 'done', counts: { created: 1, found: 1, unknown: 0 } })
    expect(await writeImportResult(fixture.db, row.id)).toContain(
      `created (matched by ${fixture.admin.email}),${ann.id},cu_1,`,
    )
    await expect(choose(ann.id)).rejects.toMatchObject({ code: 'conflict' })
  })

  it('leaves a line out for good: the same file does not send it', async () => {
    const importId = await hold()
    const leftOut = { state: 'done', counts: { leftOut: 1, unknown: 0 } }
    expect(await decide(importId, { line: 2, decision: 'leave-out' })).toMatchObject({
      ...leftOut,
      troubles: [{ line: 2, state: 'left-out', leftOutBy: fixture.admin.email }],
    })
    expect(await fixture.run('Name,Number\nAnn,1\n')).toMatchObject(leftOut)
    expect(fixture.service.creations).toHaveLength(1)
  })

  it('decides once: of two at the same moment one is told that it is over', async () => {
    const importId = await hold()
    const both = await Promise.allSettled(
      (['send-again', 'leave-out'] as const).map((decision) =>
        decideLine(fixture.db, fixture.admin, importId, { line: 2, decision }),
      ),
    )
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })

  it('of another merchant finds no such import', async () => {
    const importId = await hold()
    const stranger = { ...fixture.admin, scope: createTenantScope('another-merchant') }
    await expect(decideLine(fixture.db, stranger, importId, { line: 2, decision: 'send-again' })).rejects.toMatchObject(
      {
        code: 'not-found',
      },
    )
  })
})
