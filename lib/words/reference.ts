/*
 * What the reference says. One constant or function per text; what loads together stands
 * together, for a page that carries one text of a module carries them all. A translation is another module with the
 * same names.
 */

export const reference = 'Reference'
export const service = 'Service'
export const records = 'Records'
export const decisions = 'Decisions'
export const interfaceAsThisDeskSpeaks = 'The interface as this desk speaks it.'
export const openapiDocument = 'OpenAPI document'
export const onThisPage = 'On this page'
export const whatRepliesHoldTheDesk =
  'What replies hold. The desk reads them tolerantly: any field may be missing, and unknown ones are kept.'
export const whatTheInterfaceLeavesOpen =
  'What the interface leaves open, and how the embedded service fills it. Another service may do otherwise.'
export const everyRole = 'every role'
export const supportAndAdmin = 'support and admin'
export const forWord = ', for'
export const answers = '. Answers'
export const pageOf = 'a page of '
export const listOf = 'a list of '
export const withBody = (status: number | string, many: string, holds: string) => `${status} with ${many}${holds}`
export const withoutABody = (status: number | string) => `${status} without a body`
export const queryOf = (id: string) => `Query of ${id}`
export const bodyOf = (id: string) => `Body of ${id}`
export const field = 'Field'
export const type = 'Type'
export const notes = 'Notes'
export const listOfItems = (items: string) => `list of ${items}`
export const toCharacters = (minLength: number, maxLength: number) => `${minLength} to ${maxLength} characters`
export const between = (minimum: number, maximum: number) => `${minimum} to ${maximum}`
export const byDefault = (value: string) => `default ${value}`
