/*
 * What every list says. One constant or function per text; what loads together stands
 * together, for a page that carries one text of a module carries them all. A translation is another module with the
 * same names.
 */

/** Why a list may be incomplete, as the second half of a sentence. */
export const incompleteReasons = {
  'no-word': 'the service did not say whether there is more.',
  'no-offset': 'the service said that there is more, but not where it goes on.',
  'offset-too-long': 'the service named a place to go on that is too long to send.',
  'page-too-long': 'the service sent more rows in one page than the desk takes.',
  'offset-repeated': 'the service led back to a page that was read before.',
  'offset-refused': 'the service did not accept the place to go on that it had named.',
  changed: 'rows moved from page to page while it was read, so others may have been missed.',
  'nothing-new': 'the service went on without sending anything new.',
}
export const fresh = (count: string) => `${count} new`
export const freshByLoadingAnew = (count: string) => `${count} new: load the list again`
export const copy = (name: string, value: string) => `Copy ${name} ${value}`
export const notRefreshedWhy = (failure: string) => `Not refreshed: ${failure}`
export const readTheFirstPageAgain = 'Read the first page again'
export const refresh = 'Refresh'
export const noneSoFar = 'None so far'
export const noneOfTheRows = 'None of the rows that are loaded belong here. More are being read.'
export const withinLoadedRows = (count: number, written: string) =>
  `within ${written} loaded ${count === 1 ? 'row' : 'rows'}`
export const capitalLettersCount = 'capital letters count'
export const selectAllLoadedRows = 'Select all loaded rows'
export const serviceSentNone = 'The service sent none.'
export const noneOfTheThatWere = (things: string) => `None of the ${things} that were read belong here.`
export const nothingMatchesSoFar = 'Nothing matches so far'
export const listMayBeIncomplete = (none: string, reason: string) => `${none} The list may be incomplete: ${reason}`
export const nothingMatches = 'Nothing matches'
export const noMatchTheseFilters = (things: string) => `No ${things} match these filters.`
export const none = (things: string) => `None of the ${things} that are loaded match. Load more, or change the filters.`
export const clearFilters = 'Clear filters'
export const listMayBeIncompletePart = 'The list may be incomplete:'
export const select = (label: string) => `Select ${label}`
export const all = 'All'
export const clear = 'Clear'
export const sentMoreThanOnceShown = (repeated: string) => `${repeated} sent more than once, shown once`
export const couldNotBeRead = (unreadable: string) => `${unreadable} could not be read`
export const loadMore = 'Load more'
export const loadingMore = 'loading more'
export const copied = 'Copied'
export const notCopied = 'Not copied'
export const browserDidNotAllowIt = 'The browser did not allow it.'
export const loading = 'Loading'
export const ofLoadedMatch = (shown: string, count: string) => `${shown} of ${count} loaded match`
export const loaded = (count: string) => `${count} loaded`
/** Before the headers that sort, on a phone. */
export const sortBy = 'Sort by'
export const noneLabel = 'None'
export const ofAllMatch = (shown: string, count: string) => `${shown} of all ${count} match`
export const allLoaded = (count: string) => `All ${count} loaded`
export const listMayBeIncompleteAfter = (rows: string) => `The list may be incomplete: ${rows}`
export const notLoaded = 'Not loaded'
export const thenItFailed = (rows: string) => `${rows}, then it failed`
export const views = 'Views'
export const display = 'Display'
export const exportWord = 'Export'
