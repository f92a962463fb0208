import { describe, expect, it } from 'vitest'
import { customerImportRows } from '../store/import-schema'
import { ImportFixture } from '../testing/import-fixture'

const fixture = new ImportFixture()
const lost = { resetBefore: true }

describe('texts that the store cannot hold', () => {
  it.each(['\0', '\uD800'])(
    'in a listed customer leave its line to a person, and the others go on: %j',
    async (odd) => {
      const createdAt = `2020-01-01 (${odd})`
      fixture.service.add({ id: `old${odd}`, name: 'Ann', createdAt })
      fixture.service.onCreate = (_, { name }) => (name === 'Ann' ? { script: lost, creates: false } : {})
      const row = await fixture.start('Name,Number\nAnn,1\nBo,2\n')
      fixture.service.shows = ({ id }) => fixture.service.creations.length > 0 || !id.startsWith('new')
      fixture.service.add({ id: `new${odd}`, name: `ann`, number: `1${odd}`, createdAt })
      await fixture.work(row)
      const view = await fixture.seen(row.id)
      expect(view).toMatchObject({ state: 'done', counts: { created: 1, held: 1 }, doubts: [{ heldFor: 'ambiguous' }] })
      expect(view.doubts[0]?.candidates).toEqual([
        expect.objectContaining({ id: 'new\uFFFD', number: '1\uFFFD', createdAt: '2020-01-01 (\uFFFD)' }),
      ])
    },
  )

  it('in the reply to a line are replaced', async () => {
    const id = 'cu\0'
    fixture.service.onCreate = () => ({ script: { status: 201, body: JSON.stringify({ id, handle: id }) } })
    expect(await fixture.run('Name\nAnn\n')).toMatchObject({ state: 'done', counts: { created: 1 } })
    const [line] = await fixture.db.select().from(customerImportRows)
    expect(line).toMatchObject({ customerId: 'cu\uFFFD', handle: 'cu\uFFFD' })
  })

  it('in the customer that a line made are replaced', async () => {
    fixture.service.onCreate = () => {
      fixture.service.add({ id: 'cu\0', name: 'Ann' })
      return { script: lost, creates: false }
    }
    expect(await fixture.run('Name\nAnn\n')).toMatchObject({ state: 'done', counts: { created: 1, found: 1 } })
    const [line] = await fixture.db.select().from(customerImportRows)
    expect(line?.customerId).toBe('cu\uFFFD')
  })
})
