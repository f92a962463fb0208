import { expect, it } from 'vitest'
import { parseView } from '@/components/data-table/table-view'
import { paymentsTable } from '@/components/payments/payments-table'
import { compose } from './compose'
import type { MailContent } from './mail-content'

Object.assign(process.env, {
  NEXTAUTH_URL: 'http://127.0.0.1:3000',
  NEXTAUTH_SECRET: 'a secret for tests that is long enough',
  UPSTREAM_URL: 'http://127.0.0.1:9',
  UPSTREAM_TOKEN: 'a-token-for-tests',
})

const write = (content: MailContent) =>
  compose(content, {
    email: 'anna@example.com',
    merchant: { connectionId: 'default', name: 'Test merchant' },
    link: null,
  })

const readAddress = (content: MailContent) => new URL(write(content)?.action?.address ?? '')

it.each([
  ['rejected', 'Rejected'],
  ['chargeback', 'Chargeback'],
] as const)('the link of a mail on %s payments opens those of the state %s', (kind, state) => {
  const { pathname, searchParams } = readAddress({ kind, count: 2, subjects: ['p1', 'p2'] })
  expect(pathname).toBe('/payments')
  expect(parseView(paymentsTable, searchParams, 'minor').values).toEqual({ state })
})

it('the link of a mail on exports opens the page of exports, at the list of the first', () => {
  const link = (subjects: string[]) => readAddress({ kind: 'export-ready', count: subjects.length, subjects }).href
  expect(link(['e1'])).toBe('http://127.0.0.1:3000/exports?export=e1&merchant=default')
  expect(link(['e1', 'e2'])).toBe(link(['e1']))
})

it('none that was counted is no count where some payments could not be read', () => {
  const closing = { kind: 'closing-today', count: 0 } as const
  expect(write({ ...closing, isComplete: false })).toMatchObject({
    subject: 'Payments may close today: Test merchant',
    paragraphs: [expect.stringMatching(/^We couldn’t count/u)],
  })
  expect(write({ ...closing, count: 1, isComplete: false })).toMatchObject({
    subject: 'A payment closes today: Test merchant',
    paragraphs: [expect.stringMatching(/^At least one payment/u)],
  })
})
