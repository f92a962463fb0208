/*
 * What is said at a record of which the service sent parts that cannot be used. One constant or function per text. A
 * translation is another module with the same names.
 */

export const partsWereLeftOut = 'Parts of this record could not be used'
export const theRestIsAsTheServiceSaid = 'Everything else is as the service sent it.'
export const wholeRecord = 'The record'
export const why = {
  'unsafe-key': 'left out: its name is reserved by JavaScript',
  twice: 'left out: sent twice, with different values',
  'too-deep': 'left out: nested too deeply',
  'too-many-names': 'partly left out: more than 10,000 fields',
  'too-long': 'left out: longer than 100,000 characters',
  'not-utf8': 'damaged: its bytes are not UTF-8',
  misshapen: 'not of the documented kind, so it stands below as it was sent',
} as const
