/*
 * What the sections say that pages of records share. One constant or function per text; what loads together stands
 * together. A translation is another module with the same names.
 */

export const schemeData = 'Scheme data'
export const serviceDidNotSayAny = 'The service did not say any.'
export const everythingElseTheServiceSaid = 'Everything else the service said'
