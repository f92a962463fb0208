/*
 * What exporting a list says. One constant or function per text; what loads together stands
 * together, for a page that carries one text of a module carries them all. A translation is another module with the
 * same names.
 */

import { keptFor } from './kept-for'

export const exportsOfTheLast = (days: number) => `Exports of the last ${days === 1 ? 'day' : keptFor(days)}`
export const show = 'Show'
export const allReadFromTheService = (name: string) => `All ${name}, read from the service page by page.`
export const rows = 'Rows: '
export const serviceDoesNotFilter =
  'The service does not filter this by itself: the desk reads the whole list and keeps what matches.'
export const inTheOrder = 'In the order of the service, which does not sort by this.'
export const columns = 'Columns'
export const chooseNone = 'Choose none'
export const chooseAll = 'Choose all'
export const localTimesIn = 'Local times in'
export const amountsAreWrittenAsWhole =
  'Amounts are written as whole minor units, their exponent and a decimal; moments in UTC and in local time. '
export const momentsAreWrittenInUtc = 'Moments are written in UTC and in local time. '
export const exportGoes = (days: number) => `The export goes on when this is closed, and is kept for ${keptFor(days)}.`
export const chooseAtLeastOneColumn = 'Choose at least one column.'
export const exportIsBeingStarted = 'The export is being started.'
export const startExport = 'Start export'
export const loading = 'Loading'
export const sums = 'Sums'
export const mode = 'Mode'
export const payments = 'Payments'
export const sum = 'Sum'
export const noCurrency = 'No currency'
export const notEveryAmountCan = (noCurrency: string) => `${noCurrency}: not every amount can be read exactly`
export const exportWord = 'Export'
export const stop = 'Stop'
export const fileIsNotTheWhole = 'The file is not the whole list.'
export const itCanGo = 'It can go on from where it stopped.'
export const thereIsNoFileBefore = ' There is no file before it has come to an end.'
export const downloadCsv = 'Download CSV'
export const downloadStatement = 'Download statement'
export const resume = 'Resume'
export const newExport = 'New export'
export const shaOfTheFile = 'SHA-256 of the file'
/** `list` is its name as it begins a heading, such as "Payments". */
export const exportOf = (list: string) => `Export ${list.toLowerCase()}`
