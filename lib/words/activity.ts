/*
 * What the activity log says. One constant or function per text; what loads together stands
 * together, for a page that carries one text of a module carries them all. A translation is another module with the
 * same names.
 */

export const activity = 'Activity'
export const nothingHasHappenedYet = 'Nothing has happened yet'
export const whatIsDone = 'What is done from this desk is written down here.'
export const whatWasDoneToRecords =
  'What was done to records, and your own sign-ins. Those of others are for support and admins.'
export const exportCsv = 'Export CSV'
export const all = 'All'
export const person = 'Person'
export const personsEMail = 'Person’s e-mail'
export const about = 'About'
export const action = 'Action'
export const result = 'Result'
export const fromDay = 'From'
export const daysIn = (schemeZone: string) => `Days in ${schemeZone}`
export const to = 'To'
export const clearFilters = 'Clear filters'
export const filters = 'Filters'
export const bulkCancellation = 'bulk cancellation'
export const open = (name: string | null) => `Open ${name}`
export const reason = 'Reason:'
export const deskItself = 'The desk itself'
export const activityCouldNotBeLoaded = 'The activity could not be loaded. Load the page anew.'
export const nothingWasDone = 'Nothing was done here from this desk.'
export const loading = 'Loading'
export const loadMore = 'Load more'
