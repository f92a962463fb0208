/*
 * What a page says that could not be shown: every page carries these few texts, in case. One constant or function per
 * text. A translation is another module with the same names.
 */

export const thisPageCouldNot = 'This page could not be shown'
export const somethingWentWrongHereNothing =
  'Something went wrong here. Opening this page has sent nothing and changed nothing.'
export const reference = 'Reference'
export const startPage = 'Start page'
