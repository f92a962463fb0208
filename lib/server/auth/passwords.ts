import { createHash } from 'node:crypto'
import { hash, parseOptions, verify } from '@node-rs/argon2'
import { limitConcurrency } from '../runtime/limits'
import { describeError, log } from '../runtime/log'
import { getSettings } from '../runtime/settings'
import { findWeakness } from './password-strength'
import * as fields from '@/lib/words/fields'

/** Somebody waits for the form: past this, the password is taken unchecked. */
const longestWait = 3_000
/** A padded answer has some 1,000 lines of 40 characters. */
const mostBytes = 1_000_000
/** How many characters of the hash the list is asked about: some thousand passwords share them. */
const prefixLength = 5

async function readLines(response: Response): Promise<string[]> {
  const decoder = new TextDecoder()
  let [text, size] = ['', 0]
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > mostBytes) throw new RangeError('the answer is too long')
    text += decoder.decode(chunk, { stream: true })
  }
  return text.split('\n')
}

/**
 * Whether a password stands in the list of stolen ones at BREACHED_PASSWORDS_URL, which learns the first five hex digits
 * of its SHA-1 and no more (k-anonymity; padded, so that the answer's length tells nothing either). False without the
 * setting, and where the list can't be asked: then the log says so, for a password must not depend on a foreign service.
 */
export async function isBreached(password: string): Promise<boolean> {
  const { BREACHED_PASSWORDS_URL: list } = getSettings()
  if (list === undefined) return false
  const hash = createHash('sha1').update(password).digest('hex').toUpperCase()
  const suffix = hash.slice(prefixLength)
  try {
    const response = await fetch(`${list.replace(/\/$/u, '')}/${hash.slice(0, prefixLength)}`, {
      headers: { 'Add-Padding': 'true', 'User-Agent': 'debitdesk' },
      redirect: 'error',
      signal: AbortSignal.timeout(longestWait),
    })
    if (!response.ok) throw new Error(`status ${response.status}`)
    // Padding has the count 0.
    return (await readLines(response)).some((line) => {
      const [listed, count] = line.trim().split(':')
      return listed?.toUpperCase() === suffix && count !== '0'
    })
  } catch (error) {
    log.warn({ event: 'breached-passwords-not-asked', error: describeError(error) }, 'a password was taken unchecked')
    return false
  }
}

/** OWASP's parameters for argon2id, the package's default algorithm: 19 MiB, two passes, one lane (SE-15). */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Each hash takes 19 MiB and a thread of the pool that also serves files: two at once is all they get. */
const limited = limitConcurrency(2, 500)

const deskName = 'debitdesk'
const shortest = 8
const longest = 128
/** In UTF-16 code units before normalisation, which may make a text shorter: a bound on work, not a rule. */
const longestTyped = 1_024

/** So that the same password typed on another keyboard is the same password (NIST SP 800-63B, 5.1.1.2). */
function normalise(password: string): string {
  return password.normalize('NFKC')
}

/** Whether a sign-in may spend work on this text: nothing that could be nobody's password is hashed. */
function isHashable(password: string): boolean {
  return password.length <= longestTyped && password.isWellFormed()
}

/** Whose password it is to be, as far as somebody who guesses could know them. */
export type PasswordOwner = {
  email: string
  /** Of the merchants that they work for. */
  merchants: readonly string[]
  /** The hash of the password that is to be replaced; null for the first one. */
  replaced: string | null
}

/**
 * Says why a password cannot be chosen, or null when it can: 8 to 128 characters of any kind, none cut
 * off, not a commonly used one, not the one before, not the account's own name, not what is guessed from it, from the
 * merchants' names, from a run or a repetition, and, where the settings name a list of stolen ones, none of those (NIST
 * SP 800-63B, SE-14). No composition rules.
 */
export async function explainPassword(password: string, owner: PasswordOwner): Promise<string | null> {
  const { email, merchants, replaced } = owner
  if (!password.isWellFormed()) return fields.holdsMalformedUnicode
  if (!isHashable(password)) return fields.mustHaveAtMost(longest)
  const { length } = Array.from(normalise(password))
  if (length < shortest) return fields.mustHaveAtLeast(shortest)
  if (length > longest) return fields.mustHaveAtMost(longest)
  const plain = normalise(password).trim().toLowerCase()
  const own = [email, email.slice(0, email.lastIndexOf('@')), deskName]
  if (own.includes(plain)) return fields.mustNotBeAKnownName
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  if (dictionary['passwords-common']?.includes(plain)) return fields.isOneOfTheMostCommonPasswords
  const weakness = await findWeakness(normalise(password), [email, deskName, ...merchants])
  if (weakness) return weakness.name === null ? fields.isTooEasyToGuess : fields.isBuiltOn(weakness.name)
  if (replaced !== null && (await verifyPassword(replaced, password))) return fields.isTheOneBefore
  if (await isBreached(normalise(password))) return fields.wasFoundAmongStolenOnes
  return null
}

/** Hashes a password for the store, off the main thread. The result carries its parameters and salt. */
export function hashPassword(password: string): Promise<string> {
  return limited(() => hash(normalise(password), parameters))
}

/** The hash of a random text nobody knows, with today's parameters. */
export const nobodysHash =
  '$argon2id$v=19$m=19456,t=2,p=1$OcbA/4B9tgHiRB6KaQvOQA$CXbeNEYFAGiITanc9p7BIPog8ccx/qT2sYtf6t6PtyM'

/**
 * Whether the password is the one that was hashed. Without a hash (unknown or disabled account) it does
 * the same work and answers false, so that time does not tell who has an account (SE-13).
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  if (!isHashable(password)) return false
  const matches = await limited(() => verify(stored ?? nobodysHash, normalise(password)))
  return matches && stored !== null
}

/** Whether a stored hash was made with other parameters than today's and should be made again. */
export function isOutdatedHash(stored: string): boolean {
  const used = parseOptions(stored)
  return (
    used.memoryCost !== parameters.memoryCost ||
    used.timeCost !== parameters.timeCost ||
    used.parallelism !== parameters.parallelism
  )
}
