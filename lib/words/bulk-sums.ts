/*
 * What sums are told in. One constant or function per text; what loads together stands
 * together, for a page that carries one text of a module carries them all. A translation is another module with the
 * same names.
 */

export const sumThatCannotBeTold = 'a sum that cannot be told exactly'
