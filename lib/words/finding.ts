/*
 * What the search, the list of keys and the past notices say. One constant or function per text; what loads together
 * stands together, for a page that carries one text of a module carries them all. A translation is another module with
 * the same names.
 */

export const findLabel = 'Find pages, actions and records'
export const findPlaceholder = 'A page, a name, a handle or an id'
export const found = 'Found'
export const looking = 'Looking…'
export const notAsked = 'The service could not be asked for all of it.'
export const nothingFound = 'Nothing found.'
export const notTried = (lists: string) =>
  `${lists} can be searched on their own page: what the service understands is not known yet.`
export const searchList = (list: string, text: string) => `Search ${list.toLowerCase()} for “${text}”`
export const pages = 'Pages'
export const actions = 'Actions'
export const records = 'Records'
export const search = 'Search'
export const help = 'Help'
export const newCustomer = 'New customer'
export const newAgreement = 'New agreement'
export const subscribeWebhook = 'Subscribe a webhook'
export const newMerchant = 'Create merchant at the service'
export const inviteSomebody = 'Invite somebody'
export const shortcuts = 'Keyboard shortcuts'
export const aboutShortcuts = 'Every key that does something'
export const notices = 'Notices'
export const aboutNotices = 'What was confirmed, to be read again'
export const noNotices =
  'There has been nothing to tell since this page was loaded. What was done before stands under Activity.'
export const noticesInOrder = 'Notices, the latest first'
export const closingToday = 'Closing today'
export const nothingFoundWithTheseCapital = 'Nothing found with these capital and small letters.'
