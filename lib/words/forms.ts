/*
 * What every form says. One constant or function per text; what loads together stands
 * together, for a page that carries one text of a module carries them all. A translation is another module with the
 * same names.
 */

export const leaveWithoutSaving = 'Leave without saving?'
export const whatYouTyped = 'What you typed here has not been saved, and would be lost.'
export const leave = 'Leave'
export const stay = 'Stay'
export const mustBeAJsonObject = 'must be a JSON object, such as {"key": "value"}'
export const whatIsMarkedAboveMust = 'What is marked above must be put right'
export const nobodyCanSayYetWhether =
  'Nobody can say yet whether this was done. Look before you send it again; if you do, it carries the same key, by which the service can tell that it is the same request.'
export const requestIsOnItsWay = 'The request is on its way.'
export const cancel = 'Cancel'
export const typeTheFirst = (label: string) => `Type the ${label} first.`
export const typeToGoOn = (or: string) => `Type ${or} to go on.`
export const nobodyCanSayYetWhetherItWasDone = 'Nobody can say yet whether it was done. Look again.'
export const required = 'required'
