import { formatTimestamp } from '@/lib/domain/dates/date'
import type { NoticeKind } from '@/lib/domain/notifications'
import { escapeInvisible, truncate } from '@/lib/domain/text/visible-text'
import { getLanguage, usualLocale } from '@/lib/language/runtime'
import * as m from '@/lib/messages/m'
import { getDeskOrigin } from '../auth/session-cookie'
import { addMerchantParam } from '../auth/tenant-scope'
import { getSettings } from '../runtime/settings'
import type { MailText } from './layout'
import type { MailContent } from './mail-content'

/** To whom a mail goes, and about which merchant. `link` is the address of its one-time link. */
export type MailContext = {
  email: string
  merchant: { connectionId: string; name: string } | null
  link: string | null
}

/** Ids of the upstream API are opaque and may be long. */
const MAX_SHOWN_ID = 60

/** An address of the desk as the settings name it; a request's own host is never used. */
function at(path: string, merchant: MailContext['merchant'] = null): string {
  return `${getDeskOrigin()}${merchant ? addMerchantParam(path, merchant.connectionId) : path}`
}

function writeTime(timestamp: string): string {
  const { SCHEME_ZONE: zone } = getSettings()
  return formatTimestamp(timestamp, zone, usualLocale(getLanguage()))?.text ?? timestamp
}

const account = ({ email }: MailContext): Pick<MailText, 'footer' | 'setting'> => ({
  footer: m.mail_aboutYourAccount({ email }),
  setting: { label: m.mail_yourAccount(), address: at('/account') },
})

type LinkContent = Extract<MailContent, { kind: 'password-link' }>

function composeLink({ purpose, madeBy, expiresAt }: LinkContent, context: MailContext): MailText {
  // An invitation by a merchant that is gone leads to the account's other ones, like any link for a password.
  const merchant = purpose === 'invitation' ? context.merchant?.name : undefined
  const isAsked = madeBy === null
  const [subject, why, unexpected] =
    merchant === undefined
      ? [
          m.mail_resetSubject(),
          isAsked ? m.mail_resetAsked() : m.mail_resetBy({ by: madeBy }),
          m.mail_resetUnexpected(),
        ]
      : [
          m.mail_invitationSubject({ merchant }),
          isAsked ? m.mail_invitationAsked({ merchant }) : m.mail_invitation({ merchant, by: madeBy }),
          m.mail_invitationUnexpected(),
        ]
  return {
    subject,
    paragraphs: [why, m.mail_linkHolds({ time: writeTime(expiresAt) }), unexpected],
    action: { label: m.mail_setPassword(), address: context.link ?? at('/sign-in') },
    ...account(context),
  }
}

type SecurityContent = Extract<
  MailContent,
  { kind: 'new-device' | 'password-changed' | 'factor-changed' | 'token-made' }
>

function composeSecurity(content: SecurityContent, context: MailContext): MailText {
  const time = writeTime(content.at)
  const common = { action: { label: m.mail_openAccount(), address: at('/account') }, ...account(context) }
  if (content.kind === 'password-changed')
    return {
      subject: m.mail_passwordChangedSubject(),
      paragraphs: [m.mail_passwordChanged({ time }), m.mail_passwordNotYou()],
      ...common,
    }
  if (content.kind === 'factor-changed')
    return {
      subject: m.mail_factorChangedSubject({ change: content.change }),
      paragraphs: [m.mail_factorChanged({ change: content.change, time }), m.mail_factorNotYou()],
      ...common,
    }
  if (content.kind === 'token-made')
    return {
      subject: m.mail_tokenMadeSubject(),
      paragraphs: [m.mail_tokenMade({ name: content.name, time }), m.mail_tokenNotYou()],
      ...common,
    }
  const { browser, peer } = content
  return {
    subject: m.mail_newDeviceSubject(),
    paragraphs: [
      browser === null ? m.mail_newDevice({ time, peer }) : m.mail_newDeviceNamed({ time, browser, peer }),
      m.mail_newDeviceNotYou(),
    ],
    ...common,
  }
}

type NoticeContent = Exclude<MailContent, LinkContent | SecurityContent>
type Words = Pick<MailText, 'subject' | 'paragraphs' | 'action'>
type Merchant = NonNullable<MailContext['merchant']>

function openExports(exportId: string, merchant: Merchant): Words['action'] {
  return { label: m.mail_openExports(), address: at(`/exports?export=${encodeURIComponent(exportId)}`, merchant) }
}

const wordings: Record<NoticeKind, (count: number, merchant: Merchant, subject: string) => Words> = {
  'needs-person': (count, merchant) => ({
    subject: m.mail_needsPersonSubject({ count, merchant: merchant.name }),
    paragraphs: [m.mail_needsPerson({ count })],
    action: { label: m.mail_openAttention(), address: at('/attention', merchant) },
  }),
  rejected: (count, merchant) => ({
    subject: m.mail_rejectedSubject({ count, merchant: merchant.name }),
    paragraphs: [m.mail_rejected({ count })],
    action: { label: m.mail_openRejected(), address: at('/payments?state=Rejected', merchant) },
  }),
  chargeback: (count, merchant) => ({
    subject: m.mail_chargebackSubject({ count, merchant: merchant.name }),
    paragraphs: [m.mail_chargeback({ count })],
    action: { label: m.mail_openChargebacks(), address: at('/payments?state=Chargeback', merchant) },
  }),
  'bulk-done': (count, merchant, bulkId) => ({
    subject: m.mail_bulkDoneSubject({ count, merchant: merchant.name }),
    paragraphs: [m.mail_bulkDone({ count })],
    action: {
      label: m.mail_openBulk({ count }),
      address: at(count === 1 ? `/payments/bulk/${encodeURIComponent(bulkId)}` : '/payments/bulk', merchant),
    },
  }),
  'export-ready': (count, merchant, exportId) => ({
    subject: m.mail_exportReadySubject({ count, merchant: merchant.name }),
    paragraphs: [m.mail_exportReady({ count })],
    action: openExports(exportId, merchant),
  }),
  'export-stopped': (count, merchant, exportId) => ({
    subject: m.mail_exportStoppedSubject({ count, merchant: merchant.name }),
    paragraphs: [m.mail_exportStopped({ count })],
    action: openExports(exportId, merchant),
  }),
}

function composeClosing(
  { count: counted, isComplete }: { count: number | null; isComplete: boolean },
  merchant: Merchant,
): Words {
  const { name } = merchant
  const count = counted === 0 && !isComplete ? null : counted
  return {
    subject:
      count === null
        ? m.mail_closingUncountedSubject({ merchant: name })
        : m.mail_closingSubject({ count, merchant: name }),
    paragraphs: [
      count === null
        ? m.mail_closingUncounted()
        : isComplete
          ? m.mail_closing({ count })
          : m.mail_closingAtLeast({ count }),
    ],
    action: { label: m.mail_openClosing(), address: at('/payments/closing', merchant) },
  }
}

function listPayments(content: NoticeContent, merchant: Merchant): MailText['items'] {
  if (!['needs-person', 'rejected', 'chargeback'].includes(content.kind) || !('subjects' in content)) return []
  return content.subjects.map((id) => ({
    label: m.mail_payment({ id: truncate(escapeInvisible(id), MAX_SHOWN_ID) }),
    address: at(`/payments/${encodeURIComponent(id)}`, merchant),
  }))
}

function composeNotice(content: NoticeContent, merchant: Merchant): MailText {
  const words =
    content.kind === 'closing-today'
      ? composeClosing(content, merchant)
      : wordings[content.kind](content.count, merchant, content.subjects[0] ?? '')
  return {
    ...words,
    items: listPayments(content, merchant) ?? [],
    footer: m.mail_youChose({ merchant: merchant.name }),
    setting: { label: m.mail_changeChoice(), address: at('/account#notifications', null) },
  }
}

/** Writes a mail in the language of the current context; null for a notice of a merchant that is gone. */
export function compose(content: MailContent, context: MailContext): MailText | null {
  if (content.kind === 'password-link') return composeLink(content, context)
  switch (content.kind) {
    case 'new-device':
    case 'password-changed':
    case 'factor-changed':
    case 'token-made':
      return composeSecurity(content, context)
    default:
      return context.merchant && composeNotice(content, context.merchant)
  }
}
