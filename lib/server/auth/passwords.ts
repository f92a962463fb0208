import { createHash } from 'node:crypto'
import { hash, parseOptions, verify } from '@node-rs/argon2'
import { limitConcurrency } from '../runtime/limits'
import { describeError, log } from '../runtime/log'
import { getSettings } from '../runtime/settings'
import { findWeakness } from './password-strength'
import * as m from '@/lib/messages/m'

/** A user is waiting: after this, the password is accepted unchecked. */
const LOOKUP_TIMEOUT_MS = 3_000
/** A padded reply has about 1,000 lines of 40 characters. */
const MAX_REPLY_BYTES = 1_000_000
/** Characters of the hash that the list learns; about a thousand passwords share them. */
const PREFIX_LENGTH = 5

async function readLines(response: Response): Promise<string[]> {
  const decoder = new TextDecoder()
  let [text, size] = ['', 0]
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > MAX_REPLY_BYTES) throw new RangeError('the answer is too long')
    text += decoder.decode(chunk, { stream: true })
  }
  return text.split('\n')
}

/**
 * Whether a password is in the list of breached ones at BREACHED_PASSWORDS_URL, which learns only the first five hex
 * digits of its SHA-1 (k-anonymity; padded, so that the reply's length reveals nothing). False without the setting and,
 * logged, when the list is unavailable, since choosing a password must not depend on a third party.
 */
export async function isBreached(password: string): Promise<boolean> {
  const { BREACHED_PASSWORDS_URL: list } = getSettings()
  if (list === undefined) return false
  const hash = createHash('sha1').update(password).digest('hex').toUpperCase()
  const suffix = hash.slice(PREFIX_LENGTH)
  try {
    const response = await fetch(`${list.replace(/\/$/u, '')}/${hash.slice(0, PREFIX_LENGTH)}`, {
      headers: { 'Add-Padding': 'true', 'User-Agent': 'debitdesk' },
      redirect: 'error',
      signal: AbortSignal.timeout(LOOKUP_TIMEOUT_MS),
    })
    if (!response.ok) throw new Error(`status ${response.status}`)
    // Padding lines have count 0.
    return (await readLines(response)).some((line) => {
      const [listed, count] = line.trim().split(':')
      return listed?.toUpperCase() === suffix && count !== '0'
    })
  } catch (error) {
    log.warn({ event: 'breached-passwords-not-asked', error: describeError(error) }, 'a password was taken unchecked')
    return false
  }
}

/** OWASP's parameters for argon2id, the package's default: 19 MiB, two passes, one lane (SE-15). */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Each hash takes 19 MiB and a thread of the pool that also serves files, hence two at once. */
const limitHashing = limitConcurrency(2, 500)

const DESK_NAME = 'debitdesk'
const MIN_LENGTH = 8
const MAX_LENGTH = 128
/** In UTF-16 code units before normalisation, which may shorten a text: bounds the work, is no rule for people. */
const MAX_INPUT_LENGTH = 1_024

/** Makes a password independent of the keyboard it is typed on (NIST SP 800-63B, 5.1.1.2). */
function normalise(password: string): string {
  return password.normalize('NFKC')
}

/** Whether a text can be a password at all; others are not worth hashing. */
function isHashable(password: string): boolean {
  return password.length <= MAX_INPUT_LENGTH && password.isWellFormed()
}

/** What a guesser may know about a password's owner. */
export type PasswordOwner = {
  email: string
  /** The names of the merchants they work for. */
  merchants: readonly string[]
  /** The hash of the password to be replaced; null for the first one. */
  replaced: string | null
}

/**
 * Why a password cannot be chosen, or null: it must have 8 to 128 characters of any kind, none cut off, and not be
 * common, the previous one, the account's name, easily guessed from that, the merchants' names, a sequence or a
 * repetition, or in the configured list of breached ones (NIST SP 800-63B, SE-14). No composition rules.
 */
export async function explainPassword(password: string, owner: PasswordOwner): Promise<string | null> {
  const { email, merchants, replaced } = owner
  if (!password.isWellFormed()) return m.fields_holdsMalformedUnicode()
  if (!isHashable(password)) return m.fields_mustHaveAtMost({ characters: MAX_LENGTH })
  const { length } = Array.from(normalise(password))
  if (length < MIN_LENGTH) return m.fields_mustHaveAtLeast({ characters: MIN_LENGTH })
  if (length > MAX_LENGTH) return m.fields_mustHaveAtMost({ characters: MAX_LENGTH })
  const plain = normalise(password).trim().toLowerCase()
  const own = [email, email.slice(0, email.lastIndexOf('@')), DESK_NAME]
  if (own.includes(plain)) return m.fields_mustNotBeAKnownName()
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  if (dictionary['passwords-common']?.includes(plain)) return m.fields_isOneOfTheMostCommonPasswords()
  const weakness = await findWeakness(normalise(password), [email, DESK_NAME, ...merchants])
  if (weakness)
    return weakness.name === null ? m.fields_isTooEasyToGuess() : m.fields_isBuiltOn({ name: weakness.name })
  if (replaced !== null && (await verifyPassword(replaced, password))) return m.fields_isTheOneBefore()
  if (await isBreached(normalise(password))) return m.fields_wasFoundAmongStolenOnes()
  return null
}

/** Hashes a password, off the main thread. The result contains its parameters and salt. */
export function hashPassword(password: string): Promise<string> {
  return limitHashing(() => hash(normalise(password), parameters))
}

/** The hash of a discarded random text, with the current parameters. */
export const DUMMY_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$OcbA/4B9tgHiRB6KaQvOQA$CXbeNEYFAGiITanc9p7BIPog8ccx/qT2sYtf6t6PtyM'

/**
 * Whether a password matches a hash. Without a hash (unknown or disabled account) it does the same work and returns
 * false, so that timing doesn't reveal who has an account (SE-13).
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  if (!isHashable(password)) return false
  const matches = await limitHashing(() => verify(stored ?? DUMMY_HASH, normalise(password)))
  return matches && stored !== null
}

/** Whether a hash was made with other than the current parameters. */
export function isOutdatedHash(stored: string): boolean {
  const used = parseOptions(stored)
  return (
    used.memoryCost !== parameters.memoryCost ||
    used.timeCost !== parameters.timeCost ||
    used.parallelism !== parameters.parallelism
  )
}
