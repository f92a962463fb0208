/*
 * What small controls say. One constant or function per text; what loads together stands
 * together, for a page that carries one text of a module carries them all. A translation is another module with the
 * same names.
 */

export const andMore = (count: number) => `And ${count} more`
export const copied = 'Copied'
export const browserDidNotAllowIt = 'The browser did not allow it'
export const copy = (name: string) => `Copy ${name}`
export const nothing = 'nothing'
export const emptyText = 'empty text'
export const emptyList = 'empty list'
export const moreTooDeepToShow = 'more, too deep to show'
export const close = 'Close'
export const closeEsc = 'Close (Esc)'
export const closePanel = 'Close panel'
export const value = 'Value'
