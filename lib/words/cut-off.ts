/*
 * What is said of how long a payment can be cancelled. One constant or function per text; what loads together stands
 * together, for a page that carries one text of a module carries them all. A translation is another module with the
 * same names.
 */

export const cancellableUntil = (until: string) => `Cancellable until ${until} (estimate)`
export const closesToday = (until: string) => `Closes today: cancellable until ${until} (estimate)`
export const serviceNamesNoCutOff =
  'The service names no cut-off: this is what the desk’s settings make of the schedule date and the scheme.'
export const estimatedCutOffHasPassed = (until: string) =>
  `The estimated cut-off has passed: ${until}. It may be too late (estimate).`
