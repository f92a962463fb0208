/*
 * What the desk's server says when it refuses or fails, beside the title of lib/words/failures. One constant or
 * function per text. A translation is another module with the same names.
 */

import { keptFor } from './kept-for'

export const fieldIs = (name: string, reason: string) => `${name} ${reason}.`
export const addressIsNotPlain = 'The address is not in its plain form.'
export const aBulkCannot = (state: string, action: string) => `A bulk that is ${state} cannot ${action}.`
export const aCodedBodyIsNotRead = 'A coded body is not read.'
export const mostViewsOfAList = (mostViews: number) => `A list has at most ${mostViews} views.`
export const mostLinesOfAnImport = (lines: number) => `An import takes at most ${lines} lines.`
export const anotherExportIsRunning = 'Another export of yours is running. Wait for its end, or stop it at its list.'
export const anotherDownloadIsRunning = (seconds: number) =>
  `Another download of yours is running. Wait for its end, or try again in ${seconds} seconds.`
export const mostExportsInAnHour = (most: number, minutes: number) =>
  `You can start ${most} exports and downloads in an hour. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`
export const otherListsAreMade = 'Two other lists of yours are being made. Try again when one of them is ready.'
export const mostListsInAnHour = (most: number, minutes: number) =>
  `You can have ${most} lists made in an hour. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`
export const tooMuchIsLoading = 'Too much of yours is loading at once. Try again in a few seconds.'
export const anotherViewHasThisName = 'Another view has this name.'
export const aSharedViewIsChangedByItsOwner = 'A shared view is changed by whoever saved it, or by an admin.'
export const hostIsNamedTwice = 'The header Host is there twice.'
export const idempotencyKeyMustBeAUuid = 'Idempotency-Key must be a UUID.'
export const isInTheTeamAlready = (email: string) => `${email} is in the team already.`
export const itAnsweredWithARedirect = 'It answered with a redirect, which is not followed.'
export const itIsLeftAlone = 'It could not be reached several times in a row and is left alone for some seconds.'
export const itHasOpenCancellations = 'It has cancellations whose outcome is open: wait until they are closed.'
export const itIsNotWhatTheInterfaceDescribes = 'It is not what the interface describes.'
export const itsCertificateIsNotTrusted = 'Its certificate is not trusted.'
export const noSecretIsSet = 'NEXTAUTH_SECRET is not set.'
export const manyCancellations = (count: number, minutes: number) =>
  `You have asked for ${count} ${count === 1 ? 'cancellation' : 'cancellations'} in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`
export const noAccessTokenCameInTime = 'No access token came in time.'
export const noAccessTokenCouldBeFetched = 'No access token could be fetched.'
export const nobodyElseCouldAdminister = (name: string) =>
  `Nobody else could administer ${name}. Make another admin first.`
export const nobodyOfThisTeam = 'Nobody of this team has that id.'
export const noPartIsTakenHere = (part: string) => `No ${part} is taken here.`
export const noOpenIdProviderIsSet = 'No OpenID provider is set.'
export const nothingIsUpgraded = 'The desk connects to nobody and upgrades to nothing.'
export const nothingHasBeenSent = 'This attempt has sent nothing. Look at the payment before you ask again.'
export const theCancellationMayBeOnItsWay =
  'The store did not say whether the request was kept, so the cancellation may be carried out. Check again: it is the same request, and is carried out once at most. The payment and the activity log show it as soon as it is known.'
export const theBulkMayHaveStarted =
  'The store did not say whether the start was kept, so the bulk may be running. Look at the bulk again, or start it again: it is started once at most.'
export const thisMayHaveBeenDone =
  'The store did not say whether the change was kept. Load the page again to see whether it was.'
export const nothingWasSentBecause = (why: string) => `Nothing was sent. ${why}`
export const nothingWasSent = 'Nothing was sent.'
export const nothingWasStored = 'Nothing was stored.'
export const onlyHttp1IsSpoken = 'Only HTTP/1.0 and HTTP/1.1 are understood.'
export const onlyOneThatNeedsAPerson = 'Only a cancellation that needs a person can be marked as handled.'
export const pathDoesNotDecode = 'The path does not decode.'
export const pagesTakeOnlyForms = 'A page takes nothing but the few fields of a form.'
export const pathsEndWithoutASlash = 'There is nothing at this address: paths end without a slash.'
export const sayWhichMerchant = (header: string) => `Say which merchant this is for: load the page again (${header}).`
export const sendAForm = 'Send a form (application/x-www-form-urlencoded) or JSON.'
export const sendApplicationCspReport = 'Send application/csp-report.'
export const somebodyElseHasChangedIt = 'Somebody else has just changed it: look again.'
export const somebodyElseHasRenewedTheAddress = 'Somebody else has renewed the address at the same time.'
export const theAccountIsDisabled = 'The account is disabled. Enable it first.'
export const theAddressWouldLeaveItsTemplate = 'The address would leave its template.'
export const theBodyIsNotAReport = 'The body is not a report.'
export const theBodyIsNotJson = 'The body is not JSON.'
export const theBodyIsNotJsonInUtf8 = 'The body is not JSON in UTF-8.'
export const theExportCannotBeOpened = 'The file can no longer be opened here. Export the list again.'
export const theExportHasNotEndedYet = 'The export has not ended yet.'
export const theFileHasNoLineBelowItsFirst = 'The file has no line below its first.'
export const theInboxHasNoAddressYet = 'The inbox has no address yet.'
export const theKeyWasUsedForAnotherRequest = 'The key was used for another payment, reason or person.'
export const theListIsOlderThanHalfAnHour = 'The list is older than half an hour. Make it anew.'
export const theOpenIdProviderDoesNotDescribeItself = 'The OpenID provider does not describe itself.'
export const thereIsAnAccountForAlready = (email: string) => `There is an account for ${email} already.`
export const thereIsNoSuchBulkCancellation = (days: number) =>
  `There is no such bulk cancellation, or it is no longer kept: ${keptFor(days)} after its end. A list that was not started is kept for a day.`
export const thereIsNoSuchExport = (days: number) => `There is no such export. Exports are kept for ${keptFor(days)}.`
export const thereIsNoSuchImport = (days: number) =>
  `There is no such import, or it is no longer kept: ${keptFor(days)} after somebody last worked on it.`
/** `day` as it is read, such as "3 March 2026". */
export const thisFileWasImportedBefore = (who: string, day: string) =>
  `This file was imported before, by ${who} on ${day}, and that import is no longer kept. Imported again, it would create its customers a second time. Nothing was sent. For customers that are still missing, make a file of their lines alone.`
export const lineWaitsForNobody = 'This line is not waiting for a decision any more.'
export const noSuchCandidate = 'This customer is not one of those that were found for the line.'
export const anotherLineHasThisCustomer = 'This customer belongs to another line of an import.'
export const thereIsNoSuchMerchant = 'There is no such merchant.'
export const thereIsNoSuchView = 'There is no such view. It may have been deleted.'
export const theRequestNamesTwoMerchants = 'The request names two merchants.'
export const theRequestWasGivenUp = 'The request was given up.'
export const theServiceIsAskedWithYourOwnToken =
  'The service is asked with your own access token: sign in through the provider.'
export const partWasNotUnderstood = (part: string) => `The ${part} was not understood.`
export const thisAccountIsShared =
  'This account also works for a merchant that you do not administer. You can remove it from this team; whoever runs this desk can do the rest: npm run user.'
export const thisAccountHasNoPasswordHere = 'This account signs in where it comes from: it has no password here.'
export const thisBulkWasStartedAlready = (reason: string) =>
  `This bulk was started already, with another reason: “${reason}”. Yours was not used.`
export const thisCancellationHasEnded = 'This cancellation has ended: there is nothing left to find out.'
export const thisConnectionIsSetAtTheStart = 'This connection is set where the desk is started.'
export const thisDeploymentIsBeingExamined = 'This deployment is being examined already. Wait until that is done.'
export const thisLinkIsOfNoUse = 'This link has been used, replaced or is too old. Ask for a new one.'
export const thisListCannotBeStarted = 'This list cannot be started: it is not ready, or it was started already.'
export const thisMerchantIsNotConnected = 'This merchant is not connected.'
export const thisMerchantWasRemoved = 'This merchant was removed. Nothing was sent.'
export const thisNeedsYourPassword = 'This needs your password, at most five minutes old.'
export const thisSignInHasEndedAlready = 'This sign-in has ended already.'
export const doesNotDecode = (shown: string) => `${shown} is not UTF-8 behind its percent signs.`
export const wasGivenTwice = (shown: string) => `${shown} was given twice.`
export const whatYouConfirmedIsNotTheList =
  'What you confirmed is not the list that the desk keeps. Nothing was sent. Load the page anew.'
