import * as words from '@/lib/words/finding'
import * as shell from '@/lib/words/shell'

export type ShellTool = 'find' | 'keys' | 'notices'

/** A search result. */
export type Choice = { key: string; group: string; title: string; about: string; page: string; tool?: ShellTool }

const pages: readonly [title: string, page: string][] = [
  [shell.overview, '/'],
  [shell.payments, '/payments'],
  [shell.customers, '/customers'],
  [shell.mandates, '/mandates'],
  [shell.agreements, '/agreements'],
  [shell.webhooks, '/webhooks'],
  [shell.merchant, '/merchant'],
  [shell.activity, '/activity'],
  [words.closingToday, '/payments/closing'],
  [shell.reference, '/reference'],
  [shell.yourAccount, '/account'],
]

const actions: readonly [title: string, page: string][] = [
  [words.newCustomer, '/customers/new'],
  [words.newAgreement, '/agreements/new'],
  [words.subscribeWebhook, '/webhooks'],
  [words.newMerchant, '/merchant?new=1'],
  [words.inviteSomebody, '/team'],
]

const tools: readonly [title: string, tool: ShellTool, about: string][] = [
  [words.shortcuts, 'keys', words.aboutShortcuts],
  [words.notices, 'notices', words.aboutNotices],
]

function matchPages(group: string, places: readonly [string, string][], wanted: string): Choice[] {
  return places
    .filter(([title]) => title.toLowerCase().includes(wanted))
    .map(([title, page]) => ({ key: `${group} ${title}`, group, title, about: '', page }))
}

function matchTools(wanted: string): Choice[] {
  return tools
    .filter(([title]) => title.toLowerCase().includes(wanted))
    .map(([title, tool, about]) => ({ key: tool, group: words.help, title, about, page: '', tool }))
}

/** Pages and actions whose name contains the text, then searches in the lists. */
export function findPlaces(text: string, mayManage: boolean): { places: Choice[]; searches: Choice[] } {
  const wanted = text.trim().toLowerCase()
  const query = `?search=${encodeURIComponent(text.trim())}`
  const lists: [string, string][] = [
    [shell.customers, '/customers'],
    [shell.payments, '/payments'],
    [shell.mandates, '/mandates'],
  ]
  const searches = lists.map(([name, page]) => ({
    key: `search ${name}`,
    group: words.search,
    title: words.searchList(name, text.trim()),
    about: '',
    page: `${page}${query}`,
  }))
  const isSearchable = wanted !== '' && text.isWellFormed() && text.length <= 200
  return {
    places: [
      ...matchPages(words.pages, pages, wanted),
      ...(mayManage ? matchPages(words.actions, actions, wanted) : []),
      ...matchTools(wanted),
    ],
    searches: isSearchable ? searches : [],
  }
}
