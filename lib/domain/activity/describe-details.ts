import { roles } from '@/lib/api-contract/permission'
import type { Message } from '@/lib/language/runtime'
import * as m from '@/lib/messages/m'
import type { ActivityView } from './activity'
import { nameField, splitDetails } from './activity-fields'
import { type AmountUnit, formatMoney, formatMoneyLine } from '../amounts/money'
import { describeProblem, modeLabels } from '../cancellations/bulk-messages'
import { formatDay, formatTimestamp } from '../dates/date'
import { activityOutcomeLabels, describeAction, nameKind } from './describe-activity'
import { exportColumns } from '../lists/export-columns'
import { describeTimes } from '../lists/describe-times'
import type { ExportTimes } from '../lists/export-schedule'
import { explainStop } from '../lists/list-export'
import { roleNames } from '../roles'
import { describeScheme } from '../schemes'
import { describeState } from '../states'

type Entry = Pick<ActivityView, 'action' | 'objectKind' | 'details'>

/** `amounts`: the unit of the provider's amounts. `zone`: the reader's, for timestamps. */
export type DetailsContext = { amounts: AmountUnit; locale: string; zone: string }

type Place = DetailsContext & { entry: Entry }

const lists: Readonly<Record<string, Message>> = {
  listPayments: m.payments_payments,
  listCustomers: m.customers_customers,
  listMandates: m.mandates_mandates,
  payments: m.payments_payments,
  customers: m.customers_customers,
  mandates: m.mandates_mandates,
}

const factors: Readonly<Record<string, Message>> = {
  totp: m.secondFactor_app,
  passkey: m.secondFactor_passkey,
  recovery: m.secondFactor_recoveryCode,
  provider: m.activityDetails_provider,
}

/** Words for what fields hold, by the field. */
const valueNames: Readonly<Record<string, Readonly<Record<string, Message>>>> = {
  amounts: {
    minor: m.merchants_minorUnitsOfIsoDkk,
    hundredths: m.merchants_hundredthsWhateverTheCurrency,
    major: m.merchants_wholeCurrencyDkkIs,
  },
  auth: {
    basic: m.merchants_basicTheTokenAsUser,
    bearer: m.merchants_bearerToken,
    header: m.merchants_headerOfItsOwn,
    'client-credentials': m.merchants_oauthClientCredentials,
    none: m.merchants_none,
  },
  by: { invitation: m.activityDetails_invitation, reset: m.activityDetails_resetLink, ...factors },
  credential: { kept: m.activityDetails_kept, new: m.activityDetails_new },
  factor: factors,
  kind: factors,
  list: lists,
  mode: { ...modeLabels, 'not said': m.bulkStates_modesUnsaid },
  outcome: activityOutcomeLabels,
  source: { list: m.activityDetails_list, filter: m.activityDetails_words },
  state: {
    running: m.bulkStates_statesRunning,
    complete: m.bulkStates_statesFinished,
    stopped: m.bulkStates_statesStopped,
  },
  why: { NoRole: m.activityDetails_noRole, Disabled: m.team_disabled },
}

const timeFields: readonly string[] = ['backupOf', 'expiresAt', 'modifiedAt']
const roleFields: readonly string[] = ['role', 'from', 'to', 'before', 'after']
/** Amounts in the unit that the provider's had when the entry was made, which may have been another. */
const amountFields: readonly string[] = ['amount', 'seen', 'sums']

/** The label of an export's column. */
function nameColumn(id: string, list: unknown): string {
  const columns = Object.entries(exportColumns).find(([one]) => one === list)?.[1] ?? []
  return columns.find((column) => column.id === id)?.label() ?? id
}

function describeText(name: string, text: string, { entry, locale, zone }: Place): string {
  const names = Object.hasOwn(valueNames, name) ? valueNames[name] : undefined
  if (names && Object.hasOwn(names, text)) return names[text]?.() ?? text
  const role = roleFields.includes(name) ? roles.find((one) => one === text) : undefined
  if (role) return roleNames[role].name()
  if (timeFields.includes(name)) return formatTimestamp(text, zone, locale)?.text ?? text
  switch (name) {
    case 'action':
      return describeAction({ action: text, outcome: 'done', details: {} })
    case 'columns':
      return nameColumn(text, entry.details.list)
    case 'dueDay':
      return formatDay(text, locale)
    case 'fields':
      return nameField(text, entry, name)
    case 'kind':
      return nameKind(text)
    case 'problem':
      return entry.objectKind === 'bulk' ? (describeProblem({ problem: text }) ?? text) : text
    case 'reason':
      return explainStop(text) ?? text
    case 'scheme':
      return describeScheme(text)
    case 'status':
      return describeState(text)
    default:
      return text
  }
}

/** An amount with its currency in one line; its other members, such as a count, stay. Null where there is none. */
function describeAmount(held: object, unit: AmountUnit, locale: string): Record<string, unknown> | null {
  const { currency, ...rest }: { currency?: unknown; [name: string]: unknown } = { ...held }
  const name = ['amount', 'sum', 'minor'].find((one) => one in rest)
  const amount = name === undefined ? undefined : rest[name]
  if (currency === undefined || name === undefined || (typeof amount !== 'number' && typeof amount !== 'string'))
    return null
  const code = typeof currency === 'string' ? currency : null
  // An export's sums are in minor units, whatever the provider's are.
  const own = name === 'minor' ? 'minor' : unit
  if (formatMoney(amount, code, own, locale).kind === 'none') return null
  return { ...rest, [name]: formatMoneyLine(amount, code, own, locale) }
}

function isTimes(held: object): held is ExportTimes {
  const { rhythm, day, hour }: { rhythm?: unknown; day?: unknown; hour?: unknown } = held
  const isRhythm = rhythm === 'daily' || rhythm === 'weekly' || rhythm === 'monthly'
  return isRhythm && typeof day === 'number' && typeof hour === 'number'
}

function describeObject(parent: string, held: object, place: Place): unknown {
  const { amounts, locale } = place
  // Of an erased text only its hash is left.
  if ('erased' in held && typeof held.erased === 'string') return m.activityRows_erasedText()
  if (isTimes(held)) return describeTimes(held, locale)
  // The limits of the approval rule are in whole currency.
  const unit = parent === 'limits' || parent === 'supportLimits' ? 'major' : amounts
  const shown = describeAmount(held, unit, locale)
  if (shown && Object.keys(shown).length === 1) return Object.values(shown)[0]
  return describeFields(shown ?? held, parent, place)
}

function describeValue(name: string, held: unknown, place: Place): unknown {
  if (held === null && place.entry.action === 'setting.approval-rule') return m.approval_off()
  if (typeof held === 'string') return describeText(name, held, place)
  if (typeof held !== 'object' || held === null) return held
  if (!Array.isArray(held)) return describeObject(name, held, place)
  const each = held.map((one) => describeValue(name, one, place))
  return each.length > 0 && each.every((one) => typeof one === 'string') ? each.join(', ') : each
}

function describeFields(fields: object, parent: string | null, place: Place): Record<string, unknown> {
  const shown = new Map<string, unknown>()
  for (const [field, held] of Object.entries(fields)) {
    const name = nameField(field, place.entry, parent)
    // No two of them under one name.
    shown.set(shown.has(name) ? field : name, describeValue(field, held, place))
  }
  return Object.fromEntries(shown)
}

/**
 * An entry's details in the reader's words, amounts with their currency; unknown fields and values as they are recorded.
 * `technical` is all as it is recorded, amounts too.
 */
export function describeDetails(
  entry: Entry,
  context: DetailsContext,
): { plain: Record<string, unknown>; technical: Readonly<Record<string, unknown>> } {
  const { plain, technical } = splitDetails(entry)
  const amounts = Object.fromEntries(Object.entries(plain).filter(([name]) => amountFields.includes(name)))
  return { plain: describeFields(plain, null, { ...context, entry }), technical: { ...amounts, ...technical } }
}
