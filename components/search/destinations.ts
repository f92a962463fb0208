import { foldAccents } from '@/lib/api-contract/fold-text'
import { hasPermission, type Permission, type Role } from '@/lib/api-contract/permission'
import type { Theme } from '@/lib/client/theme'
import type { SearchHit } from '@/lib/domain/search'
import type { Message } from '@/lib/language/runtime'
import * as m from '@/lib/messages/m'

export type ShellTool = 'find' | 'keys' | 'notices'

/** A search result. */
export type Choice = {
  key: string
  group: string
  title: string
  about: string
  page: string
  tool?: ShellTool
  theme?: Theme
  hit?: SearchHit
}

/** A page or an action. It is found by people with the permission, `read` if not said. */
type Place = { title: Message; page: string; permission?: Permission }

const pages: readonly Place[] = [
  { title: m.shell_overview, page: '/' },
  { title: m.shell_needsAttention, page: '/attention' },
  { title: m.shell_payments, page: '/payments' },
  { title: m.shell_customers, page: '/customers' },
  { title: m.mandates_mandates, page: '/mandates' },
  { title: m.shell_agreements, page: '/agreements' },
  { title: m.shell_webhooks, page: '/webhooks' },
  { title: m.shell_merchant, page: '/merchant' },
  { title: m.doctor_doctor, page: '/merchant/doctor', permission: 'administer' },
  { title: m.merchants_merchants, page: '/merchants', permission: 'account' },
  { title: m.shell_activity, page: '/activity', permission: 'account' },
  { title: m.shell_exports, page: '/exports', permission: 'export' },
  { title: m.shell_team, page: '/team', permission: 'administer' },
  { title: m.people_title, page: '/team/people', permission: 'administer' },
  { title: m.roles_title, page: '/team/roles', permission: 'account' },
  { title: m.finding_closingNext, page: '/payments/closing' },
  { title: m.shell_reference, page: '/reference' },
  { title: m.shell_yourAccount, page: '/account', permission: 'account' },
]

const actions: readonly Place[] = [
  { title: m.finding_newCustomer, page: '/customers/new', permission: 'manage' },
  { title: m.finding_importCustomers, page: '/customers/import', permission: 'manage' },
  { title: m.finding_cancelPayments, page: '/payments/bulk', permission: 'bulk' },
  { title: m.finding_newAgreement, page: '/agreements/new', permission: 'manage' },
  { title: m.finding_subscribeWebhook, page: '/webhooks', permission: 'manage' },
  { title: m.finding_newMerchant, page: '/merchant?new=1', permission: 'manage' },
  { title: m.finding_inviteSomebody, page: '/team', permission: 'administer' },
]

const listTools = (): readonly [title: string, tool: ShellTool, about: string][] => [
  [m.finding_shortcuts(), 'keys', m.finding_aboutShortcuts()],
  [m.finding_notices(), 'notices', m.finding_aboutNotices()],
]

const exports: readonly Place[] = [
  { title: m.finding_exportPayments, page: '/payments?tool=export', permission: 'export' },
  { title: m.finding_exportCustomers, page: '/customers?tool=export', permission: 'export' },
  { title: m.finding_exportMandates, page: '/mandates?tool=export', permission: 'export' },
]

const listThemes = (): readonly [title: string, theme: Theme][] => [
  [m.finding_themeLight(), 'light'],
  [m.finding_themeDark(), 'dark'],
  [m.finding_themeSystem(), 'system'],
]

/** Whether a title has every word, in any order, regardless of case and accents. */
function hasWords(title: string, text: string): boolean {
  const folded = foldAccents(title)
  return foldAccents(text)
    .split(/\s+/u)
    .every((word) => folded.includes(word))
}

function matchPlaces(group: string, places: readonly Place[], wanted: string, role: Role): Choice[] {
  return places.flatMap(({ title: name, page, permission = 'read' }) => {
    const title = name()
    const isFound = hasPermission(role, permission) && hasWords(title, wanted)
    return isFound ? [{ key: `${group} ${title}`, group, title, about: '', page }] : []
  })
}

function matchTools(wanted: string): Choice[] {
  return listTools()
    .filter(([title]) => hasWords(title, wanted))
    .map(([title, tool, about]) => ({ key: tool, group: m.finding_help(), title, about, page: '', tool }))
}

function matchThemes(wanted: string): Choice[] {
  return listThemes()
    .filter(([title]) => hasWords(title, wanted))
    .map(([title, theme]) => ({ key: `theme ${theme}`, group: m.finding_actions(), title, about: '', page: '', theme }))
}

/** Pages and actions of a role whose name contains the text, then searches in the lists. */
export function findPlaces(text: string, role: Role): { places: Choice[]; searches: Choice[] } {
  const wanted = text.trim()
  const query = `?search=${encodeURIComponent(text.trim())}`
  const searches = (['customers', 'payments', 'mandates'] as const).map((list) => ({
    key: `search ${list}`,
    group: m.finding_search(),
    title: m.finding_searchList({ list, text: text.trim() }),
    about: '',
    page: `/${list}${query}`,
  }))
  const isSearchable = wanted !== '' && text.isWellFormed() && text.length <= 200
  return {
    places: [
      ...matchPlaces(m.finding_pages(), pages, wanted, role),
      ...matchPlaces(m.finding_actions(), actions, wanted, role),
      // The first page of the dialog stays short.
      ...(wanted === '' ? [] : [...matchPlaces(m.finding_actions(), exports, wanted, role), ...matchThemes(wanted)]),
      ...matchTools(wanted),
    ],
    searches: isSearchable ? searches : [],
  }
}
