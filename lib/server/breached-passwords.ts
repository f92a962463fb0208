import { createHash } from 'node:crypto'
import { describeError } from './describe-error'
import { log } from './log'
import { getSettings } from './settings'

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
