/*
 * What a bulk cancellation says. One constant or function per text; what loads together stands
 * together, for a page that carries one text of a module carries them all. A translation is another module with the
 * same names.
 */

import { keptFor } from './kept-for'

export const bulkCancellation = 'Bulk cancellation'
export const payments = 'Payments'
export const manyPaymentsCancelledAsOne =
  'Many payments, cancelled as one list that is checked before anything is sent.'
export const bulksAreKept = (days: number) =>
  `Bulks are kept for ${keptFor(days)} after their end, and lists that were not started for a day. The cancellations themselves stay in the activity log.`
export const noSuchBulk = 'There is no such bulk cancellation'
export const noLongerKept = (days: number) =>
  `It may no longer be kept: bulks are deleted ${keptFor(days)} after their end, and lists that were not started after a day. What became of each payment stands in the activity log.`
export const activityOfBulks = 'Bulk cancellations in the activity log'
export const ofCancelled = (cancelled: string, payments: string) => `${cancelled} of ${payments} cancelled`
export const bulksSoFar = 'Earlier bulk cancellations'
export const noneYetPasteOrUpload = 'None yet. Paste or upload a list, or select payments in their list.'
export const chooseAFileOrPaste = 'Choose a file or paste ids first.'
export const holdsNoIdOrHandle = 'There is no id or handle in it.'
export const listHasAtMostLines = (bulkLimit: string) => `A list has at most ${bulkLimit} lines: split it.`
export const lineIsTooLong = (long: number, reasonLimit: number) =>
  `Line ${long} is too long: a reason has at most ${reasonLimit} characters.`
export const fileIsTooLarge = 'The file is larger than a list can be (6 MB). It was not read.'
export const listIsOnItsWay = 'The list is on its way.'
export const newList = 'New list'
export const file = 'File'
export const oneIdOrHandle = 'One id or handle per line; a reason may follow after a comma, semicolon or tab.'
export const idsOrHandles = 'Ids or handles'
export const checkTheList = 'Check the list'
export const nothingIsSentYet = 'Nothing is sent yet.'
export const allThatMatch = (source: string) => `All that match: ${source}`
export const selectedOrPastedPayments = 'Selected or pasted payments'
export const askedForIt = (leftTo: string) => `${leftTo} asked for it`
export const leftToTheCancellation = (leftTo: string) => `Left to the cancellation that ${leftTo} asked for.`
export const row = 'Row'
export const payment = 'Payment'
export const payer = 'Payer'
export const amount = 'Amount'
export const mode = 'Mode'
export const live = 'Live'
export const canItBeCancelled = 'Can it be cancelled?'
export const reason = 'Reason'
export const outcome = 'Outcome'
export const why = 'Why'
export const requestIsOnItsWay = 'The request is on its way.'
export const pause = 'Pause'
export const resume = 'Resume'
export const stop = 'Stop'
export const resultFile = 'Result file'
export const stopThisBulk = 'Stop this bulk?'
export const goOn = 'Do not stop'
export const bulkGoesOnUntilYou = (unsent: string) =>
  `The bulk goes on until you confirm. Payments not sent by then (${unsent} now) stay as they are, those already sent are followed to their end, and the bulk cannot be resumed.`
export const readingThePayments = 'Reading the payments:'
export const soFarNothingIsSent = 'so far. Nothing is sent.'
export const withoutItsEndNobodyKnows =
  'Without its end nobody knows what is missing, so there is no list to confirm. Nothing was sent.'
export const loadingTheRows = 'Loading the rows'
export const startingSoFar = (written: string, count: string) =>
  `Starting: ${written} of ${count} cancellations written down. Nothing is sent before all of them are.`
export const answeredOf = (settled: string, count: string) => `${settled} of ${count} answered`
export const dealtWithOf = (settled: string, count: string) => `${settled} of ${count} dealt with`
export const restIsBeingLookedAfter = (done: string) => `${done}; the desk keeps checking the rest`
export const notSentYet = (done: string, unsent: string) => `${done}, ${unsent} not sent yet`
export const paymentsAnswered = 'Payments answered'
export const started = 'Started'
export const by = 'by'
export const rows = 'Rows'
export const selected = 'Selected'
export const selectRow = (position: number) => `Select row ${position}`
export const cancel = (count: string) => `Cancel ${count}?`
export const cancelLabel = (count: string) => `Cancel ${count}`
export const keepPayment = 'Keep payment'
export const keepPayments = 'Keep payments'
export const livePaymentsAreAmongThem = 'Live payments are among them. '
export const eachIsCompared =
  'Each is compared with this list again before it is asked for. The desk goes on when this page is closed; pause and stop are on the next page.'
export const all = 'All'
export const show = 'Show'
export const yourRoleDoesNotCancel = 'Your role does not cancel payments.'
export const noneOfThesePaymentsCan = 'None of these payments can be cancelled.'
export const rowHas = 'row has'
export const rowsHave = 'rows have'
export const noReasonForThisRow = 'No reason yet'
export const noReasonYet = (missing: string, rowsHave: string) => `${missing} ${rowsHave} no reason yet.`
export const canBeCancelled = (count: string) => `${count} can be cancelled`
export const paymentsThatWereNotFound = 'Payments that were not found may exist all the same.'
export const reasonForEachRow = 'A reason for each row'
export const reasonForRow = (position: number) => `Reason for row ${position}`
export const selectRowsFirst = 'Select rows first.'
export const triedAgain = 'Tried again'
export const tryAgain = (rows: string) => `Try ${rows} again`
