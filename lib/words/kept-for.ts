/*
 * For how long the desk keeps what has ended. One constant or function per text; what loads together stands
 * together. A translation is another module with the same names.
 */

export const keptFor = (days: number) => (days === 1 ? 'a day' : `${days} days`)
