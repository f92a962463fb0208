import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { stopImport } from '../imports/commands'
import { customerImportRows } from '../store/import-schema'
import { requireOpenStore } from '../store/store'
import { ImportFixture } from '../testing/import-fixture'
import { eraseKept } from './kept'
import { makePerson } from './person'

const fixture = new ImportFixture()
const { connectionId } = fixture.admin.scope
const ann = makePerson(connectionId, {
  customer: '',
  name: 'Ann Holm',
  number: 'K-88412',
  addressLine1: '',
  addressLine2: '',
  others: [],
  ids: [],
})

const eraseAnn = async () =>
  eraseKept(await requireOpenStore(), ann, { actor: fixture.admin.email, customerId: null, expected: null })
const findBodies = (importId: string) =>
  fixture.db
    .select()
    .from(customerImportRows)
    .where(eq(customerImportRows.importId, importId))
    .orderBy(customerImportRows.line)
    .then((rows) => rows.map(({ body }) => body))

it('never sends an erased person whose line was refused or left out, though the same file is started again', async () => {
  const refusal = { status: 409, headers: { 'content-type': 'application/problem+json' }, body: '{"detail":"No."}' }
  fixture.service.onCreate = () => ({ script: refusal, creates: false })
  const file = 'Name,Number\nAnn Holm,K-88412\nBo,K-2\nAnn Holm,K-88412\n,K-4\n'
  const { importId, counts } = await fixture.run(file)
  expect(counts).toMatchObject({ refused: 2, leftOut: 2 })
  await eraseAnn()
  expect(await findBodies(importId)).toEqual([{}, { name: 'Bo', number: 'K-2' }, {}, { number: 'K-4' }])
  fixture.service.onCreate = () => ({})
  expect(await fixture.run(file)).toMatchObject({
    importId,
    counts: { created: 1, refused: 1, leftOut: 2 },
    troubles: [
      { line: 2, state: 'refused', message: null },
      { line: 4, state: 'left-out', message: null, leftOutBy: null },
      { line: 5, state: 'left-out' },
    ],
  })
  expect(fixture.service.customers.map(({ name }) => name)).toEqual(['Bo'])
  expect(await findBodies(importId)).toEqual([{}, { name: 'Bo', number: 'K-2' }, {}, { number: 'K-4' }])
})

it('leaves out the line of an erased person that waited, by nobody, also for the same file', async () => {
  const file = 'Name,Number\nAnn Holm,K-88412\n'
  const { id } = await fixture.start(file)
  await stopImport(fixture.db, fixture.admin, id)
  await eraseAnn()
  expect(await fixture.run(file)).toMatchObject({
    importId: id,
    counts: { waiting: 0, created: 0, leftOut: 1 },
    troubles: [{ line: 2, state: 'left-out', message: null, leftOutBy: null }],
  })
  expect(fixture.service.creations).toHaveLength(0)
})
