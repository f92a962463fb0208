/*
 * What the page of the merchant says. One constant or function per text; what loads together stands
 * together, for a page that carries one text of a module carries them all. A translation is another module with the
 * same names.
 */

export const merchant = 'Merchant'
export const whomTheDeskCollects = 'Whom the desk collects for: the record that its credential leads to.'
export const doctor = 'Doctor'
export const allMerchants = 'All merchants'
export const whatTheServiceSaid = 'What the service said'
export const embeddedServiceAt = (host: string) => `Embedded service at ${host}`
export const minorUnitsOfIsoDkk = 'Minor units of ISO 4217: 124500 DKK is 1,245.00'
export const hundredthsWhateverTheCurrencyJpy = 'Hundredths, whatever the currency: 124500 JPY is 1,245'
export const wholeCurrencyDkkIs = 'Whole currency: 1245 DKK is 1,245.00'
export const howThisDeskReadsIt = 'How this desk reads it'
export const setByWhoeverRunsIt = 'set by whoever runs it'
export const service = 'Service'
export const amounts = 'Amounts'
export const businessDates = 'Business dates'
export const cancellable = 'Cancellable'
export const paymentsThatAre = (join: string) => `Payments that are ${join}`
export const merchantWasCreated = 'The merchant was created'
export const itsTokenToldOnlyNow = 'Its token, shown only now:'
export const hiddenToken = '••••••••'
export const showToken = 'Show token'
export const hideToken = 'Hide token'
export const thisDeskGoesOnWorking = 'This desk keeps working for its own merchant.'
export const copyTheToken = ' Copy the token: with it, an admin connects the new one under “All merchants”.'
export const createMerchant = 'Create merchant'
export const name = 'Name'
export const isvHandle = 'ISV handle'
export const handleOfTheSoftwareVendor =
  'The handle of the software vendor that the merchant comes through, if there is one.'
export const additionalData = 'Additional data'
export const anythingToKeep = 'Anything to keep with the merchant (metaData), as a JSON object such as {"shop": "12"}.'
export const credentialOfThisDeskMay =
  'The credential of this desk may not create merchants. The services that we know allow it to software vendors (ISV) alone.'
export const createAMerchant = 'Create a merchant at the service'
export const softwareVendorsCredentialMayMake =
  'A software vendor’s credential can create further merchants; the service refuses any other. This desk works for a new merchant only once it is connected.'
export const agreements = 'Agreements'
export const serviceKnowsNoMerchant = 'The service knows no merchant for this credential yet.'
export const record = 'Record'
export const handle = 'Handle'
export const merchantId = 'Merchant id'
export const created = 'Created'
export const modified = 'Modified'
export const serviceSaidNone = 'The service said none.'
export const everythingElseTheServiceSaid = 'Everything else the service said'
