import { randomUUID } from 'node:crypto'
import type { Handler } from '../handler'
import { newHandle } from '../new-handle'
import { fold, grams } from '../query/fold'
import { customers } from '../store/schema'
import { customerColumns, viewCustomer } from './customer-view'

/** POST /Customers: 201 with the customer. Two customers may share a name or a number. */
export const createCustomer: Handler<'createCustomer'> = async ({ db, caller, body, now }) => {
  const { name, number = '', addressLine1 = '', addressLine2 = '', city = '', country = '', postalCode = '' } = body
  const [nameSearch, numberSearch] = [fold(name), fold(number)]
  const [row] = await db
    .insert(customers)
    .values({
      id: randomUUID(),
      merchantId: caller.merchantId,
      handle: newHandle('cu'),
      name,
      nameSearch,
      number,
      numberSearch,
      grams: grams(nameSearch, numberSearch),
      addressLine1,
      addressLine2,
      city,
      country,
      postalCode,
      createdAt: now,
      modifiedAt: now,
    })
    .returning(customerColumns)
  if (!row) throw new Error('The customer was not stored')
  return {
    status: 201,
    location: `/Customers/${row.id}`,
    body: await viewCustomer(db, caller.merchantId, row),
    outcome: 'created',
  }
}
