/*
 * What the list of agreements says. One constant or function per text; what loads together stands
 * together, for a page that carries one text of a module carries them all. A translation is another module with the
 * same names.
 */

export const typeAnId = 'Type an id or a handle.'
export const thisCannotStand = 'This cannot stand in an address: use the id.'
export const idOrHandle = 'Id or handle'
export const open = 'Open'
export const namedInTheMerchantRecord = 'Named in the merchant record'
export const createdBy = (rememberedBy: string) => `Created by ${rememberedBy}`
export const openedBy = (rememberedBy: string) => `Opened by ${rememberedBy}`
export const noAgreementIsKnownYet = 'No agreement is known yet'
export const createOneOrOpenOne = 'Create one, or open one by its id or handle.'
export const knownAgreements = 'Known agreements'
export const handle = 'Handle'
export const scheme = 'Scheme'
export const state = 'State'
export const mode = 'Mode'
export const knownBecause = 'Known because'
export const read = 'Read'
export const live = 'Live'
export const agreements = 'Agreements'
export const agreementTiesTheMerchant = 'An agreement ties the merchant to a scheme.'
export const newAgreement = 'New agreement'
export const shownAreTheAgreements =
  'Shown are the agreements that somebody of the team has created or opened here, and those that the merchant record names'
export const itCouldNotBeRead = ' (it could not be read just now)'
export const serviceOffersNoFullList =
  '. The service offers no full list: there may be others. Open one by its id or handle, and it stays here for the whole team, with the state that was read last.'
