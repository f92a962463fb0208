/*
 * What the page of webhooks and its inbox say. One constant or function per text; what loads together stands
 * together, for a page that carries one text of a module carries them all. A translation is another module with the
 * same names.
 */

export const webhooks = 'Webhooks'
export const addressesThatTheServiceCalls = 'Addresses that the service calls when something has changed.'
export const subscriptions = 'Subscriptions'
export const noListOfSubscriptionsCan = 'No list of subscriptions can be found in what the service said.'
export const noneYetTheServiceCalls = 'None yet: the service calls nobody.'
export const inFurtherEntriesNoAddress = (unread: number) => `In ${unread} further entries no address was found. `
export const serviceSays = 'The service says that there are more, and not how to read them.'
export const onlyAnAdmin = 'Only an admin of this desk may subscribe and unsubscribe.'
export const inboxHasANewAddress = 'The inbox has a new address'
export const signaturesAreChecked = 'Signatures are checked, with the signing secret that the desk keeps.'
export const signaturesAreNotChecked = 'Signatures are not checked: the desk knows no signing secret.'
export const signingSecretCannotBeRead =
  'The signing secret that the desk keeps cannot be read: the secret of the desk itself was changed since it was entered, or it was damaged. Deliveries are refused until it is entered again.'
export const endOfTheAddress = ' The end of the address is a secret, which only admins see.'
export const changeSigningSecret = 'Change signing secret'
export const enterSigningSecret = 'Enter signing secret'
export const renewAddress = 'Renew address'
export const dialogCouldNotBeLoaded = 'The dialog could not be loaded. Load the page anew.'
export const signatureRight = 'Signature right'
export const signatureWrongOrMissing = 'Signature wrong or missing'
export const signedAtAnotherTime = 'Signed at another time'
export const notChecked = 'Not checked'
export const notAnEvent = 'Not a known event'
export const times = (times: number) => `${times} times`
export const open = 'Open'
export const body = 'Body'
export const empty = 'Empty'
export const bodyCannotBeOpened =
  'It was encrypted with a secret that this desk does not have any more, and cannot be read.'
export const headers = 'Headers'
export const inbox = 'Inbox'
export const callbackAddressOfThisDesk = (kept: number) =>
  `A callback address of this desk. What arrives is shown and kept encrypted, the newest ${kept}; it never changes a payment by itself, it only makes the desk read again.`
export const deliveriesWereRefused = (count: number) =>
  count === 1
    ? '1 delivery was refused for its signature or its time:'
    : `${count.toLocaleString('en')} deliveries were refused for their signature or their time since`
export const theLastOfThem = ', the last one at'
export const refusedAreNotKept =
  'Refused deliveries are not kept. If they come from the service, either the signing secret that the desk keeps is not the one it signs with, or its clock and the desk’s are more than 5 minutes apart.'
export const requestIsOnItsWay = 'The request is on its way.'
export const subscribeTheInbox = 'Subscribe the inbox'
export const inboxCouldNotBeLooked = 'The inbox could not be looked into; it is tried again.'
export const nothingHasArrivedYet = 'Nothing has arrived yet. It will show here by itself.'
export const nothingHasArrived = 'Nothing has arrived.'
export const newestDeliveryNumber = (sequence: number) => `Newest delivery: number ${sequence}`
export const itCouldNotBeTried = 'It could not be tried.'
export const notTriedTheAddress = (why: string) => `Not tried: the address ${why}.`
export const itIsBeingTried = 'It is being tried.'
export const test = 'Test'
export const renewTheAddress = 'Renew the address of the inbox?'
export const keepAddress = 'Keep address'
export const nothingIsTaken = 'The old address accepts nothing any more. What has arrived stays.'
export const serviceIsToldTheNew = 'The service is told the new address, and then to forget the old one.'
export const serviceDoesNotReport = 'The service does not report to it; you can subscribe the new one afterwards.'
export const mustNotBeEmpty = 'must not be empty'
export const isTooLong = 'is too long'
export const signingSecretKept = 'Signing secret kept'
export const signaturesOfWhatArrives = 'Signatures of what arrives from now on are checked with it.'
export const signingSecret = 'Signing secret'
export const asTheServiceShows =
  'As the service shows it, such as whsec_ and letters. It is kept encrypted and never shown again.'
export const keepSecret = 'Keep secret'
export const cancel = 'Cancel'
export const addressWasNotSubscribed = 'The address was not subscribed'
export const pressTheButtonAgain = (found: string) => `${found} Press the button again to subscribe it all the same.`
export const callbackAddress = 'Callback address'
export const newCallbackAddress = 'New callback address'
export const httpsAddressThatTheService =
  'An https address that the service can reach. It is tried before it is subscribed.'
export const nobodyCanSayYetWhether = 'Nobody can say yet whether this was done. Look at the list.'
export const subscribe = 'Subscribe'
export const subscribeNewRemoveOld = 'Subscribe new, remove old'
export const subscribed = 'Subscribed:'
export const itsSigningSecretToldOnly = 'Its signing secret, shown only now:'
export const oldAddressCouldNot = 'The old address could not be removed and is still subscribed:'
export const unsubscribeIt = '. Unsubscribe it.'
export const unsubscribed = 'Unsubscribed'
export const unsubscribeThisAddress = 'Unsubscribe this address?'
export const unsubscribe = 'Unsubscribe'
export const keepSubscription = 'Keep subscription'
export const serviceStopsReportingChanges = 'The service stops reporting changes to it.'
export const whatArrivedInTheInbox = 'What arrived in the inbox stays.'
export const whateverListensThereWillHear = 'Whatever listens there will hear nothing any more.'
export const inboxOfThisDesk = 'Inbox of this desk'
export const notHttps = 'Not https'
export const since = 'Since'
export const change = 'Change'
export const everythingElseTheServiceSaid = 'Everything else the service said'
export const keepTheAddress = 'Keep the address'
export const thisIsTheInbox = 'This is the inbox of this desk.'
export const nameLeadsToAnAddress = 'The name leads to an address of a private network.'
export const nameCannotBeFound = 'The name cannot be found.'
export const portIsOne = 'The port is one that this desk does not call.'
export const nothingAnsweredWithinSeconds = 'Nothing answered within 5 seconds.'
export const nothingAnswersThere = 'Nothing answers there.'
export const itsCertificateIsNotTrusted = 'Its certificate is not trusted.'
export const itAnswersWithInMs = (status: number, milliseconds: number) =>
  `It answers, with ${status} in ${milliseconds} ms`
export const redirectWhichMayNot = (answered: string) => `${answered}: a redirect, which may not be followed.`
export const nothingSeemsToStandThere = (answered: string) => `${answered}: nothing seems to stand there.`
export const failure = (answered: string) => `${answered}: a failure.`
export const address = 'Address'
