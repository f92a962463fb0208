import { expect, it } from 'vitest'
import { endpoints } from '@/lib/api-contract/endpoints'
import { AppError, type ErrorEvidence } from '../runtime/app-error'
import { describeWrite } from './record-write'

const title = 'One or more validation errors occurred.'
const errors = { '': ['CustomerNumber: must be unique', 'No more.'], name: ['“Ole Hansen” is taken.'] }

function describe(endpoint: (typeof endpoints)['createCustomer' | 'subscribeWebhook'], evidence: ErrorEvidence) {
  const reason = new AppError('upstream-refused', { ...evidence, errors })
  const request = { params: {}, body: {}, key: undefined }
  return describeWrite(endpoint, request, { status: 'rejected', reason }).details
}

it('a refusal without a detail has the messages that belong to no field as its reason, and of fields their names', () => {
  expect(describe(endpoints.createCustomer, { detail: title, upstream: { status: 400, title } })).toMatchObject({
    answer: { detail: 'CustomerNumber: must be unique; No more.', fields: ['name'] },
  })
  const upstream = { status: 400, title, detail: 'Taken.' }
  expect(describe(endpoints.createCustomer, { detail: 'Taken.', upstream })).toMatchObject({
    answer: { detail: 'Taken.' },
  })
})

it('nothing is told of what the service said of an address', () => {
  const details = describe(endpoints.subscribeWebhook, { detail: title, upstream: { status: 400, title } })
  expect(details).toMatchObject({ answer: { fields: ['name'] } })
  expect(JSON.stringify(details)).not.toMatch(/unique|taken|One or more/u)
})
