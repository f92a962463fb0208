import { expect, it } from 'vitest'
import { endpoints } from '@/lib/api-contract/endpoints'
import { AppError, type ErrorEvidence } from '../runtime/app-error'
import { toUpstreamError } from '../upstream/upstream-errors'
import { describeWrite } from './record-write'

const title = 'One or more validation errors occurred.'
const errors = {
  '': ['Not unique', 'No more.'],
  name: ['“Ole Hansen” is taken.'],
  webhookUrl: ['Is taken.'],
  'https://example.com/secret': ['Is taken.'],
  'Ole Hansen': ['Is taken.'],
  'ole@example.com': ['Is taken.'],
}

function describe(endpoint: (typeof endpoints)['createCustomer' | 'subscribeWebhook'], evidence: ErrorEvidence) {
  const reason = new AppError('upstream-refused', { ...evidence, errors })
  const request = { params: {}, body: {}, key: undefined }
  return describeWrite(endpoint, request, { status: 'rejected', reason }).details
}

it('a refusal without a detail has the messages that belong to no field as its reason, and of fields only names, known or not', () => {
  expect(describe(endpoints.createCustomer, { detail: title, upstream: { status: 400, title } })).toMatchObject({
    answer: { detail: 'Not unique; No more.', fields: ['name', 'webhookUrl', 'https://example.com/secret'] },
  })
  const upstream = { status: 400, title, detail: 'Taken.' }
  expect(describe(endpoints.createCustomer, { detail: 'Taken.', upstream })).toMatchObject({
    answer: { detail: 'Taken.' },
  })
})

it('nothing is told of what the service said of an address', () => {
  const details = describe(endpoints.subscribeWebhook, { detail: title, upstream: { status: 400, title } })
  expect(details).toMatchObject({ answer: { fields: ['webhookUrl'] } })
  expect(JSON.stringify(details)).not.toMatch(/unique|taken|One or more|secret/u)
})

it('of a record that is no explanation nothing is in the log: it may be the customer that exists', () => {
  const json = { id: 'c1', email: 'ole@example.com', name: 'Ole Hansen', description: 'Rent', tags: ['Ole'] }
  const reply = { status: 409, json, headers: {}, mediaType: 'application/json', text: '' }
  const reason = toUpstreamError(reply, endpoints.createCustomer)
  const request = { params: {}, body: {}, key: undefined }
  const { details } = describeWrite(endpoints.createCustomer, request, { status: 'rejected', reason })
  expect(details.answer).toEqual({ code: 'upstream-refused', status: 409, service: { status: 409 } })
})
