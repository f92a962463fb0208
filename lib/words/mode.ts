/*
 * What marks a payment as not real. One constant or function per text. A translation is another module with the same
 * names.
 */

export const test = 'Test'
export const notSaid = 'Live or test: not said'
