/** How much a route may grow before somebody has to say that it should. */
const mostGrowth = 1.05

const kilobytes = (bytes) => `${(bytes / 1024).toFixed(1)} KB`

/**
 * What is wrong with the sizes of the routes (bytes by route) beside those that were accepted: one line
 * for each route that grew by more than 5 % since, or that nobody has accepted yet. A route that shrank
 * or is gone is no fault.
 */
export function compareRouteSizes(accepted, sizes) {
  return Object.entries(sizes).flatMap(([route, after]) => {
    const before = Object.hasOwn(accepted, route) ? accepted[route] : null
    if (before === null) return [`${route} is new: ${kilobytes(after)} of script.`]
    if (after <= before * mostGrowth) return []
    const growth = ((after / before - 1) * 100).toFixed(1)
    return [`${route} grew by ${growth} %: ${kilobytes(before)} of script before, ${kilobytes(after)} now.`]
  })
}
