/*
 * What the merchants of the desk and their connections are told in. One constant or function per text; what loads together stands
 * together, for a page that carries one text of a module carries them all. A translation is another module with the
 * same names.
 */

export const merchants = 'Merchants'
export const admin = 'Admin'
export const support = 'Support'
export const viewer = 'Viewer'
export const merchant = 'Merchant'
export const thoseThatYouMayWork =
  'Those that you may work for on this desk. Each has a service, a credential and people of its own.'
export const connectMerchant = 'Connect merchant'
export const openHere = ', open here'
export const open = (name: string) => `Open ${name}`
export const openLabel = 'Open'
export const edit = 'Edit'
export const token = 'Token'
export const value = 'Value'
export const clientSecret = 'Client secret'
export const name = 'Name'
export const asThisDeskCalls = 'As this desk calls the merchant.'
export const payments = 'Payments'
export const live = 'Live'
export const test = 'Test'
export const addressOfTheService = 'Address of the service'
export const allPathsFollowItSuch = 'All paths follow it, such as https://service.example.'
export const credential = 'Credential'
export const basicTheTokenAsUser = 'Basic: the token as user name'
export const bearerToken = 'Bearer token'
export const headerOfItsOwn = 'A header of its own'
export const oauthClientCredentials = 'OAuth 2.0 client credentials'
export const none = 'None'
export const header = 'Header'
export const addressOfTheTokenServer = 'Address of the token server'
export const clientId = 'Client id'
export const scope = 'Scope'
export const sentAsItIs = 'Sent as it is.'
export const storedEncryptedAndNeverShown =
  'Stored encrypted, and never shown again. Leave it empty to keep it; with another address or another kind it must be entered again.'
export const storedEncryptedAndNeverShownAgain = 'Stored encrypted, and never shown again.'
export const amounts = 'Amounts'
export const minorUnitsOfIsoDkk = 'Minor units of ISO 4217: 124500 DKK is 1,245.00'
export const hundredthsWhateverTheCurrency = 'Hundredths, whatever the currency'
export const wholeCurrencyDkkIs = 'Whole currency: 1245 DKK is 1,245.00'
export const statesThatMayBeCancelled = 'States that may be cancelled'
export const separatedByCommas = 'Separated by commas.'
export const statesThatMeanCancelled = 'States that mean cancelled'
export const otherStatesThatEnd = 'Other states that end a payment'
export const save = 'Save'
export const disconnectMerchant = 'Disconnect merchant'
export const disconnect = (name: string) => `Disconnect ${name}`
export const keepMerchant = 'Keep merchant'
export const nobodyReachesThisMerchant =
  'Nobody reaches this merchant from this desk any more, and its credential is deleted here. What the desk has recorded stays; at the service nothing changes.'
export const editConnection = 'Edit connection'
export const connectionOf = (name: string) => `Connection of ${name}`
export const connection = 'Connection'
export const changeConnections = 'change connections'
export const thisConnectionIsSetWhere =
  'This connection is set where the desk is started, in the settings that begin with UPSTREAM.'
export const forAMerchant =
  'For a merchant that the service already has. It is asked with the credential before anything is stored.'
export const connectMerchants = 'connect merchants'
export const testConnection = 'Test connection'
export const theServiceIsBeingAsked = 'The service is being asked.'
