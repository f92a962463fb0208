import { randomUUID } from 'node:crypto'
import type { TestService } from '../testing/test-service'
import { at, items } from '../testing/test-service'

type Find = () => Promise<string>

/** Answers in turn what stands at some places of a list's first items; each list is read once. */
function fromList(service: TestService, path: string, places: readonly (readonly string[])[]): Find {
  let values: string[] | undefined
  let turn = 0
  return async () => {
    values ??= items((await service.call('GET', path)).json).flatMap((item) =>
      places.map((place) => String(at(item, ...place))),
    )
    turn += 1
    const value = values[turn % values.length]
    if (value === undefined) throw new Error(`${path} lists nothing`)
    return value
  }
}

/** Makes a new resource each time, for verbs that use it up. */
function fromCreation(service: TestService, path: string, body: unknown, kind: 'id' | 'handle'): Find {
  return async () => String(at((await service.call('POST', path, { body })).json, kind))
}

/** Now one, now the other, so that a deletion meets what may go and what may not. */
function inTurn(one: Find, other: Find): Find {
  let turn = 0
  return () => {
    turn += 1
    return turn % 2 === 0 ? one() : other()
  }
}

const pending = `/Payments?limit=100&filter=${encodeURIComponent("status eq 'Pending'")}`

/** What is there to be addressed by each operation that has a path parameter. */
export function findExisting(service: TestService): Record<string, Find> {
  const customer = fromList(service, '/Customers?limit=100', [['id'], ['handle']])
  const newCustomer = fromCreation(service, '/Customers', { name: 'Short Life' }, 'id')
  const agreement = { scheme: 'nets-bs', dataSourceHandle: randomUUID() }
  return {
    getCustomer: customer,
    updateCustomer: customer,
    // Those of open payments are refused; any other would be gone the second time.
    deleteCustomer: inTurn(newCustomer, fromList(service, pending, [['customer', 'id']])),
    getMandate: fromList(service, '/Customers/mandates?limit=100', [['id'], ['handle']]),
    getAgreement: inTurn(
      fromCreation(service, '/Merchants/agreements', agreement, 'id'),
      fromCreation(service, '/Merchants/agreements', agreement, 'handle'),
    ),
    deleteAgreement: fromCreation(service, '/Merchants/agreements', agreement, 'id'),
    cancelPayment: inTurn(
      fromList(service, pending, [['id'], ['handle']]),
      fromList(service, '/Payments?limit=100', [['id'], ['handle']]),
    ),
  }
}
