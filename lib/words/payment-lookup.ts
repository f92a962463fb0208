/*
 * What looking for one payment says. One constant or function per text; what loads together stands together, for a
 * page that carries one text of a module carries them all. A translation is another module with the same names.
 */

export const panel = 'Payment'
export const noSuch = 'No such payment'
export const noSuchAdvice = 'The service has no payment of this id.'
export const notFound = 'Not found'
export const notFoundAdvice = (count: number, written: string) =>
  `It is not ${count === 1 ? 'the one payment' : `among the ${written} payments`} that the service listed, and the list may be incomplete.`
export const notFoundSoFar = 'Not found so far'
export const notFoundSoFarAdvice = (count: number, written: string) =>
  `It is not ${count === 1 ? 'the first payment' : `among the first ${written} payments`}. The service cannot look a payment up by its id, and the desk reads no further for one: find it in the list.`
export const lookingFor = 'Looking for the payment'
export const lookedAt = (looked: string) => `${looked} looked at`
export const lookAgain = 'Look again'
