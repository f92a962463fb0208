import { endpoints } from '@/lib/contract/endpoints'
import * as words from '@/lib/words/doctor-findings'
import { findNamedAgreements } from '../agreements/find-named-agreements'
import { unwrapRecord } from '../unwrap-record'
import type { UpstreamReply } from '../upstream'
import type { Patient, ReadId } from './patient'

const documentedTypes = ['application/json', 'text/json', 'text/plain']

function describe(json: unknown): string {
  if (json === undefined) return words.replies.nothing
  if (json === null) return 'null'
  if (Array.isArray(json)) return words.replies.aListOf(json.length)
  return typeof json === 'object' ? words.replies.aRecordOf(Object.keys(json).length) : typeof json
}

/** Takes note of a reply that succeeded: whether the desk can read it, and under which media type it came. */
export function noteReply(patient: Patient, area: string, subject: string, id: ReadId, reply: UpstreamReply): void {
  const isOne = Object.keys(endpoints[id].params).length > 0
  const held = isOne ? unwrapRecord(reply.json, endpoints[id].reply) : reply.json
  const isRead = endpoints[id].reply.safeParse(held).success && !(isOne && held === null)
  const isDocumented = reply.mediaType === null ? reply.text === '' : documentedTypes.includes(reply.mediaType)
  const oddities = [
    ...(isOne && held !== null && held !== reply.json ? [words.replies.theRecordIsWrapped] : []),
    ...(isDocumented ? [] : [words.replies.theMediaTypeIsNotDocumented]),
  ]
  const detail = words.replies.held(reply.status, describe(reply.json), reply.mediaType, oddities)
  patient.note(area, subject, isRead ? (isDocumented ? 'ok' : 'note') : 'failure', detail)
}

async function readOne(patient: Patient, area: string, id: ReadId, name: string, value: unknown, by: string) {
  const word = typeof value === 'number' ? String(value) : value
  if (typeof word !== 'string' || word === '') {
    return patient.note(area, `one by ${by}`, 'skipped', words.replies.noneIsAtHand(by))
  }
  const reply = await patient.examine(area, `one by ${by}`, id, { params: { [name]: word } })
  if (reply) noteReply(patient, area, `one by ${by}`, id, reply)
}

type Row = Record<string, unknown> | undefined

/** Reads one customer, mandate and agreement by id and by handle, the merchant and the subscriptions. */
export async function checkSingles(patient: Patient, customer: Row, mandate: Row): Promise<void> {
  for (const by of ['id', 'handle'] as const) {
    await readOne(patient, 'customers', 'getCustomer', 'customerIdOrHandle', customer?.[by], by)
    await readOne(patient, 'mandates', 'getMandate', 'mandateIdOrHandle', mandate?.[by], by)
  }
  const merchant = await patient.examine('merchant', 'record', 'getMerchant')
  if (merchant) noteReply(patient, 'merchant', 'record', 'getMerchant', merchant)
  const [agreement] = findNamedAgreements(merchant?.json)
  const known = { id: agreement?.agreementId, handle: agreement?.handle }
  for (const by of ['id', 'handle'] as const)
    await readOne(patient, 'agreements', 'getAgreement', 'agreementIdOrHandle', known[by], by)
  const webhooks = await patient.examine('webhooks', 'list', 'listWebhooks')
  if (webhooks) noteReply(patient, 'webhooks', 'list', 'listWebhooks', webhooks)
}
