/*
 * What importing customers says. One constant or function per text; what loads together stands
 * together, for a page that carries one text of a module carries them all. A translation is another module with the
 * same names.
 */

import { keptFor } from './kept-for'

export const fileIsTooLarge = (takes: string, most: string, files: number) =>
  `The file is too large: it takes ${takes} kB of the ${most} kB that one import takes. Split it into ${files} files or more.`
export const quotationMarkInLine = (line: number) => `A quotation mark in line ${line} is never closed.`
export const thereIsNoLineBelow = 'There is no line below the first.'
export const importTakesAtMostLines = (most: string, lines: string) =>
  `An import takes at most ${most} lines, and this file has ${lines}: split the file.`
export const sayWhichColumnHolds = 'Say which column holds the name.'
export const serviceDoesNotAccept = 'the service does not accept the desk’s credential'
export const serviceRefusesToCreateCustomers = 'the service refuses to create customers'
export const roleOfWhoeverStarted = 'the role of whoever started it does not allow this any more'
export const serviceCannotBeReached = 'the service cannot be reached'
export const serviceDoesNotAnswer = 'the service does not answer in time'
export const waitingTheServiceAsks = 'Waiting: the service asks to slow down, or did not answer'
export const creatingCustomers = 'Creating customers'
export const done = 'Done'
export const stopped = 'Stopped'
export const interruptedByARestart = 'Interrupted by a restart of the desk'
export const waitingForToSignIn = (startedBy: string) => `Waiting for ${startedBy} to sign in`
export const somethingWentWrong = 'something went wrong'
export const fileCouldNotBeRead = 'The file could not be read.'
export const file = '1. The file'
export const csvFile = 'CSV file'
export const separatedByCommasSemicolons =
  'Separated by commas, semicolons or tabs; at most 5,000 lines and about 1 MB.'
export const orPasteTheLines = 'Or paste the lines'
export const nameNumberCityAnnSmith = 'Name,Number,City\nAnn Smith,1001,Ribe'
export const pasteLinesFirst = 'Paste lines first.'
export const pastedLines = 'Pasted lines'
export const takeTheseLines = 'Use these lines'
export const chosen = 'Chosen:'
export const fileIsOnItsWay = 'The file is on its way.'
export const noLineCanBeCreated = 'No line can be created as it is.'
export const columns = '2. The columns'
export const notInTheFile = 'Not in the file'
export const column = (index: number) => `Column ${index}`
export const dryRun = '3. Dry run'
export const noLineHasAnError = 'no line has an error'
export const lineHasAnError = 'line has an error and is'
export const linesHaveErrorsAndAre = 'lines have errors and are'
export const leftOut = (flawed: string, linesHaveErrorsAndAre: string) => `${flawed} ${linesHaveErrorsAndAre} left out`
export const canBeCreated = (customers: string, linesHaveErrorsAndAre: string) =>
  `${customers} can be created; ${linesHaveErrorsAndAre}.`
export const line = (line: number) => `Line ${line}:`
export const andMore = (most: string) => `And ${most} more.`
export const create = 'Create'
export const importsAreKept = (days: number) =>
  `Imports are kept for ${keptFor(days)} after somebody last worked on them.`
export const earlierImports = 'Earlier imports'
export const created = 'created.'
export const openImport = (fileName: string) => `Open import ${fileName}`
export const open = 'Open'
export const startItAgainTheSame = 'Start it again: the same file goes on with the same import.'
export const leftOutLabel = 'left out'
export const linesAnswered = 'Lines answered'
export const ofCreated = (created: string, total: string) => `${created} of ${total} created`
export const refused = (refused: string) => `${refused} refused`
export const leftOutPart = (leftOut: string) => `${leftOut} left out`
export const resultWaiting = 'not sent'
export const resultCreated = 'created'
export const resultFound = 'created (found among the customers)'
export const resultMatched = (email: string) => `created (matched by ${email})`
export const resultRefused = 'refused'
export const resultLeftOutBy = (email: string) => `left out by ${email} (outcome unknown)`
export const resultInDoubt = 'outcome unknown, being looked for'
export const resultHeld = 'outcome unknown, needs a decision'
export const withUnknownOutcome = (unknown: string) => `${unknown} with unknown outcome`
export const foundWithoutReply = (found: string) => `${found} of them without a reply`
export const needADecision = (held: string) => `${held} in doubt`
export const lookingForLines = 'Looking for the lines in doubt among the customers'
export const doneButDecide = 'Done, except for the lines in doubt'
export const linesInDoubt = 'Lines in doubt'
export const linesInDoubtAreNotSentAgain =
  'The service gave no clear answer when these lines were sent. They are not sent again unless you say so: if a line has arrived after all, sending it again can create the customer twice.'
export const sentAt = 'Sent'
export const sentSometime = 'Sent at an unknown time:'
export const createdAt = 'created'
export const connectionBroke = 'the connection broke before the answer'
export const noAnswerInTime = 'no answer came in time'
export const serviceFailed = 'the service failed'
export const replyUnreadable = 'the reply could not be read'
export const deskEndedMeanwhile = 'the desk stopped while it was being sent'
export const serviceRefusedSecond = 'the service refused it when it was sent again'
export const deskLooksForIt = 'The desk is looking for it among the customers.'
export const notAmongCustomers = 'The list of customers was read twice to its end and does not show it.'
export const theseMayBeIt = 'It may be one of these customers, but nothing proves which.'
export const listCouldNotBeRead = 'The list of customers could not be read to its end.'
export const serviceSaid = 'The service said:'
export const candidatesOfLine = (line: number) => `Customers that may be line ${line}`
export const takeCandidate = 'This is it'
export const takeCandidateForLine = (line: number, customer: string) => `This is it: ${customer} for line ${line}`
export const sendAgain = 'Send again'
export const sendLineAgain = (line: number) => `Send again: line ${line}`
export const leaveOut = 'Leave out'
export const leaveLineOut = (line: number) => `Leave out: line ${line}`
export const leftOutBy = (email: string) => `: by ${email}, as the service gave no clear answer`
export const stop = 'Stop'
export const goOn = 'Go on'
export const resultFile = 'Result file'
export const anotherFile = 'Another file'
export const youCanLeaveThisPage = 'You can leave this page: the desk goes on. '
export const sameFileStartedAgainGoes = 'The same file started again goes on with this import and creates nobody twice.'
export const linesThatWereNotCreated = 'Lines that were not created'
export const lineLabel = (line: number, state: string) => `Line ${line}, ${state}`
export const importCustomers = 'Import customers'
export const customers = 'Customers'
export const fromACsvFileWhose = 'From a CSV file whose first line names the columns.'
export const importCustomersLabel = 'import customers'
