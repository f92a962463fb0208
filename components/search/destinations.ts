import { foldAccents } from '@/lib/api-contract/fold-text'
import type { Theme } from '@/lib/client/theme'
import type { SearchHit } from '@/lib/domain/search'
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

const listPages = (): readonly [title: string, page: string][] => [
  [m.shell_overview(), '/'],
  [m.shell_needsAttention(), '/attention'],
  [m.shell_payments(), '/payments'],
  [m.shell_customers(), '/customers'],
  [m.mandates_mandates(), '/mandates'],
  [m.shell_agreements(), '/agreements'],
  [m.shell_webhooks(), '/webhooks'],
  [m.shell_merchant(), '/merchant'],
  [m.shell_activity(), '/activity'],
  [m.shell_exports(), '/exports'],
  [m.roles_title(), '/team/roles'],
  [m.finding_closingNext(), '/payments/closing'],
  [m.shell_reference(), '/reference'],
  [m.shell_yourAccount(), '/account'],
]

const listActions = (): readonly [title: string, page: string][] => [
  [m.finding_newCustomer(), '/customers/new'],
  [m.finding_importCustomers(), '/customers/import'],
  [m.finding_cancelPayments(), '/payments/bulk'],
  [m.finding_newAgreement(), '/agreements/new'],
  [m.finding_subscribeWebhook(), '/webhooks'],
  [m.finding_newMerchant(), '/merchant?new=1'],
  [m.finding_inviteSomebody(), '/team'],
]

const listTools = (): readonly [title: string, tool: ShellTool, about: string][] => [
  [m.finding_shortcuts(), 'keys', m.finding_aboutShortcuts()],
  [m.finding_notices(), 'notices', m.finding_aboutNotices()],
]

const listExports = (): readonly [title: string, page: string][] => [
  [m.finding_exportPayments(), '/payments?tool=export'],
  [m.finding_exportCustomers(), '/customers?tool=export'],
  [m.finding_exportMandates(), '/mandates?tool=export'],
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

function matchPages(group: string, places: readonly [string, string][], wanted: string): Choice[] {
  return places
    .filter(([title]) => hasWords(title, wanted))
    .map(([title, page]) => ({ key: `${group} ${title}`, group, title, about: '', page }))
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

/** Pages and actions whose name contains the text, then searches in the lists. */
export function findPlaces(text: string, mayManage: boolean): { places: Choice[]; searches: Choice[] } {
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
      ...matchPages(m.finding_pages(), listPages(), wanted),
      ...(mayManage ? matchPages(m.finding_actions(), listActions(), wanted) : []),
      // The first page of the dialog stays short.
      ...(wanted === '' ? [] : [...matchPages(m.finding_actions(), listExports(), wanted), ...matchThemes(wanted)]),
      ...matchTools(wanted),
    ],
    searches: isSearchable ? searches : [],
  }
}
