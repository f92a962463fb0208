/*
 * What the page of one agreement says. One constant or function per text; what loads together stands
 * together, for a page that carries one text of a module carries them all. A translation is another module with the
 * same names.
 */

export const deleteAgreement = 'Delete agreement'
export const dialogCouldNotBeLoaded = 'The dialog could not be loaded. Load the page anew.'
export const agreement = (id: string) => `Agreement ${id}`
export const agreementWithASchemeCannot = 'An agreement with a scheme cannot be changed: delete it and create another.'
export const agreementLabel = 'Agreement'
export const state = 'State'
export const scheme = 'Scheme'
export const mode = 'Mode'
export const live = 'Live'
export const dataSource = 'Data source'
export const handle = 'Handle'
export const agreementId = 'Agreement id'
export const dates = 'Dates'
export const created = 'Created'
export const modified = 'Modified'
export const agreementDeleted = 'Agreement deleted'
export const keepAgreement = 'Keep agreement'
export const schemeNotSaid = 'Scheme not said'
export const stateNotSaid = 'State not said'
export const thisCannotBeTakenBack =
  'This cannot be taken back. Nothing can be collected through it any more; the service may refuse while payments are still to be collected.'
export const agreements = 'Agreements'
