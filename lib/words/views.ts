/*
 * What saved views say. One constant or function per text; what loads together stands
 * together, for a page that carries one text of a module carries them all. A translation is another module with the
 * same names.
 */

export const saveWhatIsShownNow = 'Save what is shown now as'
export const nothingIsFilteredOrSorted = 'Nothing is filtered or sorted: this view is the whole list.'
export const forEverybodyAtThisMerchant = 'For everybody at this merchant'
export const giveItANameFirst = 'Give it a name first.'
export const viewIsBeingSaved = 'The view is being saved.'
export const viewIsBeingDeleted = 'The view is being deleted.'
export const saveView = 'Save view'
export const newNameOf = (name: string) => `New name of ${name}`
export const rename = 'Rename'
export const keep = 'Keep'
export const defaultWord = 'Default'
export const sharedBy = 'Shared by'
export const onlyForYou = 'Only for you'
export const notDefault = 'Not default'
export const makeDefault = 'Make default'
export const renameNamed = (name: string) => `Rename ${name}`
export const deleteNamed = (name: string) => `Delete ${name}`
export const deleteLabel = 'Delete'
export const deleteForEverybody = 'Delete for everybody'
export const reallyDelete = 'Really delete'
export const loading = 'Loading'
export const noViewHasBeenSaved = 'No view has been saved yet.'
export const closingToday = 'Closing today'
export const whatCanBeCancelled = 'what can be cancelled for the last time today (estimate)'
export const savedViews = 'Saved views'
/** `list` is its name as it begins a heading, such as "Payments". */
export const viewsOf = (list: string) => `Views of ${list.toLowerCase()}`
