/*
 * What the overview says. One constant or function per text; what loads together stands
 * together, for a page that carries one text of a module carries them all. A translation is another module with the
 * same names.
 */

export const overview = 'Overview'
export const connection = 'Connection'
export const at = (name: string, host: string) => `${name} at ${host}`
export const lastTrouble = 'Last trouble:'
export const answersInMs = (milliseconds: number) => `Answers, in ${milliseconds} ms`
export const moreAreNotCountedHere = 'more are not counted here'
export const itTookTooLong = 'it took too long to count the others'
export const serviceDidNotSayHow = 'the service did not say how the list goes on'
export const someEntriesOfTheList = 'some entries of the list could not be read'
export const readingThemFailed = 'reading them failed'
export const countedFromAllPayments = (count: number, written: string) =>
  count === 1 ? 'Counted from the only payment' : `Counted from all ${written} payments`
export const listWasNotRead = 'the list was not read to its end'
export const countedFromPaymentsNotAll = (count: number, written: string, why: string) =>
  `Counted from ${written} ${count === 1 ? 'payment' : 'payments'}, not all: ${why}`
export const serviceAsksToSlowDown = 'The service asks to slow down'
export const serviceRefused = 'The service refused'
export const serviceFailed = 'The service failed'
export const replyOfTheServiceCould = 'The reply of the service could not be read'
export const serviceDidNotAccept = 'The service did not accept the request'
export const serviceDoesNotList = 'The service does not list its payments'
export const live = 'Live'
export const test = 'Test'
export const modeNotSaid = 'Mode not said'
export const currencyNotSaid = 'currency not said'
export const countingPayments = 'Counting payments'
export const paymentsCountedSoFar = (count: number, written: string) =>
  `${written} ${count === 1 ? 'payment' : 'payments'} counted so far`
export const countingPaymentsLabel = 'Counting payments…'
export const collections = 'Collections'
export const modeAndCurrency = 'Mode and currency'
export const countAgain = 'Count again'
export const toComePerDay = 'To come, per day'
export const settledPerMonth = 'Settled, per month'
export const thereIsNothingToCount = 'There is nothing to count: no payments were found.'
export const needsALook = 'Needs a look'
export const rejected = 'Rejected'
export const chargebacks = 'Chargebacks'
export const closingSoon = 'Closing soon'
export const mayStillBeCancelledPlanned =
  'May still be cancelled, planned for today or the next two days. An estimate: the service names no cut-off.'
export const pastTheirDay = 'Past their day'
export const notEndedAndTheDay = 'Not ended, and the day of the payment is over.'
export const amountsOfPaymentsCouldNot = (count: number, written: string) =>
  count === 1
    ? 'The amount of one payment could not be read; it is counted, and missing from the sums.'
    : `The amounts of ${written} payments could not be read; they are counted, and missing from the sums.`
export const openPayment = 'Open payment'
export const cancellationsNotSettledYet = 'Cancellations not settled yet'
export const noneEveryCancellationIsSettled = 'None. Every cancellation that was asked for is settled.'
export const ofThisMerchant = (open: number) => `${open} of this merchant`
export const andMore = (further: number) => `and ${further} more`
export const merchant = 'Merchant'
export const credentialLeadsToNoMerchant = 'The credential leads to no merchant yet.'
export const agreement = 'Agreement'
export const noAgreementWithAScheme = 'No agreement with a scheme is known here: create one, or open one that exists.'
export const webhook = 'Webhook'
export const serviceReportsChangesToNobody =
  'The service reports changes to nobody: subscribe an address, or the inbox of this desk.'
export const settingUp = 'Setting up'
export const isNotKnownTheService = 'is not known: the service said nothing of it.'
export const couldNotBeLookedUp = 'could not be looked up just now.'
export const noneAmongThePayments = 'None among the payments that were counted.'
export const barsTheSameFiguresStand = (title: string, name: string) =>
  `${title}, ${name}: bars; the same figures stand in the table below`
export const asATable = 'As a table'
export const day = 'Day'
export const month = 'Month'
export const payments = 'Payments'
export const sum = 'Sum'
export const toCome = 'To come'
export const inTheNextFourWeeks = 'In the next four weeks, by their day.'
export const nextCollection = 'Next collection'
export const onDay = (at: string) => `On ${at}.`
export const noDayWithPayments = 'No day with payments to come.'
export const later = 'Later'
export const inMoreThanFourWeeks = 'In more than four weeks, or without a day.'
export const settledThisMonth = 'Settled this month'
export const chargebackMayFollow = 'A chargeback may follow.'
export const isSetUp = 'is set up.'
