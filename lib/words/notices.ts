/*
 * What confirmations say. One constant or function per text; what loads together stands
 * together, for a page that carries one text of a module carries them all. A translation is another module with the
 * same names.
 */

export const close = 'Close'
export const confirmationsF6 = 'Confirmations (F6)'
