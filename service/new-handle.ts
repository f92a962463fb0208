import { randomInt } from 'node:crypto'

/** Lower-case letters and digits that are not mistaken for one another. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'

export type HandlePrefix = 'cu' | 'md' | 'am' | 'pm' | 'me'

/**
 * Makes a handle: prefix, underscore, 16 random characters. The prefix keeps every handle apart from ids
 * and from the words of a path. `pick(n)` answers a whole number from 0 to below n.
 */
export function newHandle(prefix: HandlePrefix, pick: (limit: number) => number = randomInt): string {
  return `${prefix}_${Array.from({ length: 16 }, () => alphabet.charAt(pick(alphabet.length))).join('')}`
}
