/*
 * What choosing columns and density says. One constant or function per text; what loads together stands
 * together, for a page that carries one text of a module carries them all. A translation is another module with the
 * same names.
 */

export const oneColumnStays = 'One column stays.'
export const staysInSight = 'stays in sight'
export const widthOf = (header: string) => `Width of ${header}`
export const usualWidth = 'Usual width'
export const px = (width: number) => `${width} px`
export const moveUp = (header: string) => `Move ${header} up`
export const moveDown = (header: string) => `Move ${header} down`
export const comfortable = 'Comfortable'
export const compact = 'Compact'
export const rows = 'Rows'
export const columns = 'Columns'
export const backToTheUsualOnes = 'Back to the usual ones'
export const theseBelongToTheView = 'These belong to the view that is open, and changes to its address alone.'
export const forYouWhereverYouSign =
  'For you, wherever you sign in. Until you choose, those that have no room are left out; the first one stays in sight when the list is scrolled sideways.'
export const takeMyOwnColumns = 'Take my own columns'
export const columnsThatAreShown = 'Columns that are shown'
export const furtherColumns = 'Further columns'
/** `list` is its name as it begins a heading, such as "Payments". */
export const displayOf = (list: string) => `Display of ${list.toLowerCase()}`
