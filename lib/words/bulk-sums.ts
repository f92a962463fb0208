/*
 * What sums are told in. One constant or function per text; what loads together stands
 * together, for a page that carries one text of a module carries them all. A translation is another module with the
 * same names.
 */

/** Before what they come to: the number must not run into the amount. */
export const ofPayments = (count: number, written: string) => `${written} ${count === 1 ? 'payment' : 'payments'}:`
export const sumThatCannotBeTold = 'a sum that cannot be told exactly'
