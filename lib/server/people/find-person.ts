import type { Customer } from '@/lib/api-contract/customers'
import { explainSegment } from '@/lib/api-contract/path-segment'
import type { KeptAbout, PersonRequest } from '@/lib/domain/people'
import type { Session } from '../auth/session'
import { AppError } from '../runtime/app-error'
import { callEndpoint } from '../upstream/call-endpoint'
import { readCustomerPayments } from '../upstream/customer-payments'
import { makePerson, type Person } from './person'

/** A person as looked for, and what the upstream API says of them. */
export type FoundPerson = Pick<KeptAbout, 'payments'> & {
  person: Person
  /** Null if the upstream API doesn't know the customer, or none was named. */
  customer: Customer | null
}

async function readCustomer(session: Session, customerIdOrHandle: string): Promise<Customer | null> {
  if (customerIdOrHandle === '' || explainSegment(customerIdOrHandle) !== null) return null
  try {
    return await callEndpoint(session, 'getCustomer', { params: { customerIdOrHandle } })
  } catch (error) {
    // Refused as an id: what was typed is none.
    if (error instanceof AppError && ['not-found', 'bad-request', 'upstream-refused'].includes(error.code)) return null
    throw error
  }
}

/**
 * The person of a request. A customer that the upstream API knows adds its name, number and address lines, mandates and
 * payments. Throws AppError where the upstream API fails: less would be found than there is.
 */
export async function findPerson(session: Session, request: PersonRequest): Promise<FoundPerson> {
  const { connectionId } = session.scope
  const customer = await readCustomer(session, request.customer)
  const read = customer?.id ? await readCustomerPayments(session, customer.id) : null
  const { id = null, handle = null, mandates } = customer ?? {}
  const address = [customer?.['addressLine1'], customer?.['addressLine2']].map((line) =>
    typeof line === 'string' ? line : null,
  )
  const person = makePerson(
    connectionId,
    {
      ...request,
      name: request.name || (customer?.name ?? ''),
      number: request.number || (customer?.number ?? ''),
    },
    {
      ids: [
        id,
        handle,
        ...(mandates ?? []).map((mandate) => mandate.handle),
        ...(read?.payments ?? []).flatMap((payment) => [payment.id, payment.handle, payment.mandate?.id ?? null]),
      ],
      values: [customer?.name ?? null, customer?.number ?? null, ...address],
    },
  )
  return { person, customer, payments: read && { count: read.payments.length, isComplete: read.isComplete } }
}
