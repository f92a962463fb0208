/** Something the search leads to. */
export type Choice = { key: string; group: string; title: string; about: string; page: string }

const pages: readonly [title: string, page: string][] = [
  ['Overview', '/'],
  ['Payments', '/payments'],
  ['Customers', '/customers'],
  ['Mandates', '/mandates'],
  ['Agreements', '/agreements'],
  ['Webhooks', '/webhooks'],
  ['Merchant', '/merchant'],
  ['Reference', '/reference'],
]

const actions: readonly [title: string, page: string][] = [
  ['New customer', '/customers/new'],
  ['New agreement', '/agreements/new'],
  ['Subscribe a webhook', '/webhooks'],
  ['New merchant', '/merchant?new=1'],
]

function choose(group: string, places: readonly [string, string][], wanted: string): Choice[] {
  return places
    .filter(([title]) => title.toLowerCase().includes(wanted))
    .map(([title, page]) => ({ key: `${group} ${title}`, group, title, about: '', page }))
}

/** Pages and actions whose names hold what was typed; then the lists, searched for it. */
export function findPlaces(text: string, mayManage: boolean): { places: Choice[]; searches: Choice[] } {
  const wanted = text.trim().toLowerCase()
  const query = `?search=${encodeURIComponent(text.trim())}`
  const lists: [string, string][] = [
    ['Customers', '/customers'],
    ['Payments', '/payments'],
    ['Mandates', '/mandates'],
  ]
  const searches = lists.map(([name, page]) => ({
    key: `search ${name}`,
    group: 'Search',
    title: `Search ${name.toLowerCase()} for “${text.trim()}”`,
    about: '',
    page: `${page}${query}`,
  }))
  const isSearchable = wanted !== '' && text.isWellFormed() && text.length <= 200
  return {
    places: [...choose('Pages', pages, wanted), ...(mayManage ? choose('Actions', actions, wanted) : [])],
    searches: isSearchable ? searches : [],
  }
}
