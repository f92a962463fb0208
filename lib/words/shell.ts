/*
 * What the frame around every page says. One constant or function per text; what loads together stands together, for a
 * page that carries one text of a module carries them all. A translation is another module with the same names.
 */

export const product = 'Debitdesk'
export const about = 'The desk from which direct debits are run.'
export const skipToContent = 'Skip to content'
export const withoutScript =
  'Without JavaScript only what is loaded first is shown. Filters, sorting and every action need it.'
export const passwordWasReset = 'Your password was reset'
export const resetWithLinkBy = (maker: string) => `Your password was reset with a link made by ${maker} on`
/** Parts of one sentence, the second of which is a link. */
export const whereNotYou = {
  before: 'If you did not do this, ',
  link: 'change your password',
  after: ' and tell an admin other than the one named.',
}
export const thatWasMe = 'That was me'
export const mainNavigation = 'Main'
export const more = 'More'
export const overview = 'Overview'
export const payments = 'Payments'
export const customers = 'Customers'
export const mandates = 'Mandates'
export const agreements = 'Agreements'
export const webhooks = 'Webhooks'
export const merchant = 'Merchant'
export const activity = 'Activity'
export const reference = 'Reference'
export const team = 'Team'
export const yourAccount = 'Your account'
export const account = 'Account'
export const admin = 'Admin'
export const support = 'Support'
export const viewer = 'Viewer'
export const light = 'Light'
export const dark = 'Dark'
export const asSystem = 'As the system'
