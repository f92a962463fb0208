/*
 * What the doctor finds, said on the server: the details of its findings and its printed report. Apart from what its
 * page says (doctor), which need not carry them. One constant or function per text. A translation is another module
 * with the same names.
 */

const many = (count: number, one: string, others: string) => `${count} ${count === 1 ? one : others}`
const fields = (count: number) => many(count, 'field', 'fields')
const pages = (count: number) => many(count, 'page', 'pages')
const reads = (count: number) => many(count, 'read', 'reads')
const rows = (count: number) => many(count, 'row', 'rows')

/** Reachability, credential, and how it refuses. */
export const access = {
  answered: (request: string, status: number) => `${request} answered ${status}.`,
  answeredButTheRestMayWork: (request: string, status: number) =>
    `${request} answered ${status}; the rest may still work.`,
  answersWithoutACredential: 'It answers without a credential too.',
  credentialIsNotAccepted: (status: number) => `The credential is not accepted (${status}).`,
  credentialMayNotRead: (status: number) => `The credential may not read (${status}).`,
  failed: (request: string, why: string) => `${request}: ${why}`,
  itAnsweredButAnotherIsDocumented: (status: number, documented: number) =>
    `It answered ${status}; ${documented} is documented.`,
  missingIsAnswered: (status: number, isRecord: boolean, mediaType: string | null) =>
    `Answered with ${status} and ${isRecord ? 'a record' : 'no record'} (${mediaType ?? 'no type'}).`,
  refusedWith: (status: number) => `Refused with ${status}.`,
}

/** Which filters and orders are understood; `names` are theirs. */
export const abilities = {
  listIsEmpty: 'The list is empty.',
  notToBeDecided: (names: string) =>
    `Not decided; with too few rows, or rows too much alike, any reply could be right by chance: ${names}.`,
  notUnderstood: (names: string) => `Not understood; the desk works on the loaded rows instead: ${names}.`,
  proven: (names: string) => `Proven: ${names}.`,
  tellsCapitalLetters: (names: string) =>
    `Tells capital letters from small ones when it looks for text; the desk says so: ${names}.`,
}

/** How rows differ from the documented record; `names` are those of fields. */
export const rowFields = {
  aList: 'a list',
  andMore: (names: string, more: number) => `${names} and ${more} more`,
  asDocumented: (count: number) => `As documented in ${count === 1 ? '' : 'all '}${rows(count)}.`,
  inAnotherLetterCase: (names: string) => `In another letter case, which the desk reads all the same: ${names}.`,
  isOdd: (field: string, value: string, wrong: number, all: number) => `${field} (${value} in ${wrong} of ${all})`,
  missing: (names: string) => `Missing: ${names}.`,
  missingInSomeRows: (names: string) => `Missing in some rows: ${names}.`,
  notDocumented: (names: string) => `Not documented: ${names}.`,
  otherThanDocumented: (oddities: string) => `Other than documented: ${oddities}.`,
}

/** Which states were met. */
export const states = {
  count: (state: string, count: number) => `${state || 'empty'} (${count})`,
  met: (counts: string) => `Met: ${counts}.`,
  haveNoMeaning: (names: string) =>
    `Not in UPSTREAM_CANCELLABLE, UPSTREAM_CANCELLED or UPSTREAM_FINAL: ${names}. They can be seen, not cancelled.`,
}

/** How the walk through a list went; `loaded` is what came of it. */
export const paging = {
  afterItTheNextPage: (loaded: string, why: string) => `After ${loaded}, the next page could not be read. ${why}`,
  aPageHoldsMore: (held: number, asked: number) => `A page holds ${held} rows where ${asked} were asked for.`,
  aPageHoldsLess: (held: number, asked: number) => `${rows(held)} a page where ${asked} were asked for.`,
  endsOddly: (loaded: string, why: string) => `${loaded}; ${why}.`,
  entriesThatAreNoRecords: (count: number) => `Entries that are no records: ${count}.`,
  goesRound: (loaded: string) => `${loaded}; then a nextOffset came again: after seems to be ignored.`,
  idsThatCameMoreThanOnce: (count: number) => `Ids that came more than once: ${count}.`,
  isNotTheDocumentedContainer: 'It is not the documented container.',
  loaded: (rowCount: number, pageCount: number) => `${rows(rowCount)} in ${pages(pageCount)}`,
  rowsWithoutAnId: (count: number) => `Rows without an id: ${count}.`,
  theFirstPage: (why: string) => `The first page could not be read. ${why}`,
  thereIsMore: (loaded: string) => `${loaded}; there is more.`,
  toTheEnd: (loaded: string) => `${loaded}, to the end.`,
}

/** Why a list may be incomplete, by the reason that its reading gives. */
export const incompleteness = {
  'no-word': 'hasMore is missing or no truth value: nobody can know whether that is all',
  'no-offset': 'hasMore is true without a nextOffset to go on with: the list may be incomplete',
  'offset-too-long': 'its nextOffset is longer than 2,048 characters and is not followed',
  'page-too-long': 'a page has more than 10,000 items: those past that are not read',
}

/** What a reply holds. */
export const replies = {
  aListOf: (count: number) => `a list of ${count}`,
  aRecordOf: (count: number) => `a record of ${fields(count)}`,
  held: (status: number, shape: string, mediaType: string | null, oddities: readonly string[]) =>
    `${[`${status}, ${shape} (${mediaType ?? 'no media type'})`, ...oddities].join('; ')}.`,
  nothing: 'nothing',
  noneIsAtHand: (name: string) => `No ${name} is at hand.`,
  theMediaTypeIsNotDocumented: 'the media type is not documented',
  theRecordIsWrapped: 'the record is wrapped',
}

/** What became of a read that failed, by the code of the failure. */
export const failures = {
  'upstream-unreachable': 'It cannot be reached.',
  'upstream-timeout': 'It did not answer in time.',
  'upstream-bad-reply': 'Its reply cannot be read.',
  'upstream-credential': 'The credential does not hold.',
}

export const itAnswered = (status: number) => `It answered ${status}.`
export const somethingWentWrong = 'Something went wrong here.'
export const theStatusWas = (status: number) => `The status was ${status}.`

/** The report as lines of text. */
export const printed = {
  deployment: (url: string) => `Deployment ${url}`,
  results: { ok: 'ok', note: 'note', warning: 'WARNING', failure: 'FAILURE', skipped: 'skipped' },
  took: (count: number, seconds: string) => `${reads(count)} in ${seconds} s.`,
}
