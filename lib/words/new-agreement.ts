/*
 * What creating an agreement says. One constant or function per text; what loads together stands
 * together, for a page that carries one text of a module carries them all. A translation is another module with the
 * same names.
 */

export const agreementCreated = 'Agreement created'
export const chooseAScheme = 'Choose a scheme.'
export const scheme = 'Scheme'
export const agreementType = 'Agreement type'
export const createAgreement = 'Create agreement'
export const chooseASchemePart = 'Choose a scheme'
export const anotherScheme = 'Another scheme'
export const nameOfTheScheme = 'Name of the scheme'
export const asTheServiceWrites = 'As the service writes it, such as sepa-core.'
export const cvrNumber = 'CVR number'
export const digits = '8 digits'
export const pbsNumber = 'PBS number'
export const creditorNumber = 'Creditor number'
export const notSaid = 'Not said'
export const dataSourceHandle = 'Data source handle'
export const test = 'Test'
export const paymentsOnATestAgreement =
  'Payments on a test agreement are not real money. Without it the agreement is live.'
export const newAgreement = 'New agreement'
export const agreements = 'Agreements'
export const agreementTiesTheMerchant = 'An agreement ties the merchant to a scheme.'
export const createAgreements = 'create agreements'
export const key = (index: number) => `Key ${index}`
export const keyLabel = 'Key'
export const value = (index: number) => `Value ${index}`
export const valueLabel = 'Value'
export const removePair = (index: number) => `Remove pair ${index}`
export const addAPair = 'Add a pair'
export const schemeData = 'Scheme data'
export const keysAndValues = 'Keys and values'
export const json = 'JSON'
export const holdsTwice = (key: string) => `holds the key ${key} twice`
export const oneObjectSuchAs = 'One object, such as {"creditorId": "DE98ZZZ09999999999"}.'
