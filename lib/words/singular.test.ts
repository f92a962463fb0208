import { expect, it } from 'vitest'
import * as customer from './customer'
import * as doctor from './doctor'
import * as lists from './lists'
import * as overview from './overview'
import * as lookup from './payment-lookup'
import * as team from './team'

it.each<[(count: number, written: string) => string, string, string]>([
  [doctor.findings, '1 finding', '1,200 findings'],
  [(reads) => doctor.fromReadsInS('Fine.', '9 findings', reads, '0.1'), 'from 1 read in', 'reads in'],
  [lists.withinLoadedRows, 'within 1 loaded row', 'within 1,200 loaded rows'],
  [overview.countedFromAllPayments, 'Counted from the only payment', 'Counted from all 1,200 payments'],
  [
    (count, written) => overview.countedFromPaymentsNotAll(count, written, 'why'),
    '1 payment, not',
    '1,200 payments, not',
  ],
  [overview.paymentsCountedSoFar, '1 payment counted', '1,200 payments counted'],
  [overview.amountsOfPaymentsCouldNot, 'The amount of one payment', 'The amounts of 1,200 payments'],
  [lookup.notFoundAdvice, 'the one payment that', 'among the 1,200 payments that'],
  [lookup.notFoundSoFarAdvice, 'not the first payment.', 'among the first 1,200 payments.'],
  [
    (count, written) => customer.toBeCollectedAtLeast('1', '0', count, written),
    'payment that was',
    '1,200 payments that were',
  ],
  [team.signIns, '1 sign-in', 'sign-ins'],
])('says one and many: %#', (say, one, many) => {
  expect(say(1, '1')).toContain(one)
  const few = say(1_200, '1,200').replace('1200', '1,200')
  expect(few).toContain(many)
  expect(few).not.toContain(one)
})
