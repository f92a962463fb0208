import * as m from '@/lib/messages/m'
export type ShellTool = 'find' | 'keys' | 'notices'

/** A search result. */
export type Choice = { key: string; group: string; title: string; about: string; page: string; tool?: ShellTool }

const listPages = (): readonly [title: string, page: string][] => [
  [m.shell_overview(), '/'],
  [m.shell_payments(), '/payments'],
  [m.shell_customers(), '/customers'],
  [m.shell_mandates(), '/mandates'],
  [m.shell_agreements(), '/agreements'],
  [m.shell_webhooks(), '/webhooks'],
  [m.shell_merchant(), '/merchant'],
  [m.shell_activity(), '/activity'],
  [m.finding_closingToday(), '/payments/closing'],
  [m.shell_reference(), '/reference'],
  [m.shell_yourAccount(), '/account'],
]

const listActions = (): readonly [title: string, page: string][] => [
  [m.finding_newCustomer(), '/customers/new'],
  [m.finding_newAgreement(), '/agreements/new'],
  [m.finding_subscribeWebhook(), '/webhooks'],
  [m.finding_newMerchant(), '/merchant?new=1'],
  [m.finding_inviteSomebody(), '/team'],
]

const listTools = (): readonly [title: string, tool: ShellTool, about: string][] => [
  [m.finding_shortcuts(), 'keys', m.finding_aboutShortcuts()],
  [m.finding_notices(), 'notices', m.finding_aboutNotices()],
]

function matchPages(group: string, places: readonly [string, string][], wanted: string): Choice[] {
  return places
    .filter(([title]) => title.toLowerCase().includes(wanted))
    .map(([title, page]) => ({ key: `${group} ${title}`, group, title, about: '', page }))
}

function matchTools(wanted: string): Choice[] {
  return listTools()
    .filter(([title]) => title.toLowerCase().includes(wanted))
    .map(([title, tool, about]) => ({ key: tool, group: m.finding_help(), title, about, page: '', tool }))
}

/** Pages and actions whose name contains the text, then searches in the lists. */
export function findPlaces(text: string, mayManage: boolean): { places: Choice[]; searches: Choice[] } {
  const wanted = text.trim().toLowerCase()
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
      ...matchTools(wanted),
    ],
    searches: isSearchable ? searches : [],
  }
}
