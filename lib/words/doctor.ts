/*
 * What the doctor says. One constant or function per text; what loads together stands
 * together, for a page that carries one text of a module carries them all. A translation is another module with the
 * same names.
 */

export const findings = (findings: number) => `${findings} ${findings === 1 ? 'finding' : 'findings'}`
export const readingSoFar = (checks: string) => `Reading… ${checks} so far`
export const notFinished = (checks: string) => `Not finished: ${checks}`
export const fromReadsInS = (result: string, checks: string, reads: number, seconds: string) =>
  `${result} ${checks} from ${reads} ${reads === 1 ? 'read' : 'reads'} in ${seconds} s.`
export const examineTheServiceAt = (service: string) => `Examine the service at ${service}`
export const readsEveryList =
  'Reads every list and a few records, and tries what filters and orders are understood. It never writes. On a large deployment it takes a minute or so.'
export const stop = 'Stop'
export const examine = 'Examine'
export const examineAgain = 'Examine again'
export const asJson = 'As JSON'
export const note = 'Note'
export const warning = 'Warning'
export const failure = 'Failure'
export const skipped = 'Skipped'
export const findingsLabel = 'Findings'
export const result = 'Result'
export const check = 'Check'
export const whatWasFound = 'What was found'
export const doctor = 'Doctor'
export const merchant = 'Merchant'
export const whatThisDeployment = 'What this deployment of the service can do, and what the desk makes of it.'
export const haveTheDeploymentExamined = 'have the deployment examined'
