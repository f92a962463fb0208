import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { listCommonWords } from './common-words'

/**
 * Guesses as a power of ten: about where zxcvbn's score becomes 3 of 4, and what eight random characters need. What needs
 * fewer is a common word or name, a row of keys, a date, a run or a repetition, or little more than one of them.
 */
const floor = 8
/** The work grows with the square of the length and more, most of all with `4$$1|` and the like for letters. */
const longestPart = 16
/** A mark put in stands in one of few places and is one of few: this much, as a power of ten. */
const perMark = 1
/** A shorter name is in too much else. */
const shortestName = 4

let loading: Promise<ZxcvbnFactory> | undefined

/** A megabyte of words, read when the first password is chosen: no start and no page waits for it. */
async function load(): Promise<ZxcvbnFactory> {
  const [core, { adjacencyGraphs, dictionary }, german] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-de'),
  ])
  const { commonWords, firstnames, lastnames } = german.dictionary
  return new core.ZxcvbnFactory({
    dictionary: {
      ...dictionary,
      'commonWords-de': commonWords,
      'firstnames-de': firstnames,
      'lastnames-de': lastnames,
      ...listCommonWords(),
    },
    graphs: adjacencyGraphs,
    l33tMaxSubstitutions: 10,
  })
}

/** Parts to be judged on their own; of a text that only repeats another one, that one. */
function splitText(text: string): string[] {
  const characters = Array.from(/^(.+?)\1+$/su.exec(text)?.[1] ?? text)
  return Array.from({ length: Math.ceil(characters.length / longestPart) }, (_, index) =>
    characters.slice(index * longestPart, (index + 1) * longestPart).join(''),
  )
}

/** The names in it, whole and word by word, the longest first. */
function listNames(context: readonly string[]): string[] {
  const parts = context.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)])
  return [...new Set(parts.map((part) => part.toLowerCase()))]
    .filter((part) => part.length >= shortestName)
    .toSorted((one, other) => other.length - one.length)
}

/** What is left of a password without the names that stand in it, and the first of them; null where none does. */
function leaveOutNames(password: string, names: readonly string[]): { rest: string; name: string } | null {
  let rest = password.toLowerCase()
  const found = names.filter((name) => {
    const isThere = rest.includes(name)
    if (isThere) rest = rest.replaceAll(name, '')
    return isThere
  })
  const [name] = found
  return name === undefined ? null : { rest, name }
}

/**
 * Why a password, in NFKC, is too easy to guess for who knows the `context`: the e-mail address, the merchants' names and
 * the service's (NIST SP 800-63B, 5.1.1.2: commonly used, repetitive, sequential, context-specific). A long one is as
 * hard to guess as the hardest of its parts, and a name from the context counts for nothing: `name` is the one on which it
 * is built, null where it is easy by itself. Null for one that is hard enough.
 */
export async function findWeakness(
  password: string,
  context: readonly string[],
): Promise<{ name: string | null } | null> {
  const zxcvbn = await (loading ??= load())
  const names = listNames(context)
  const rate = async (text: string) => {
    // Others are served between two ratings.
    await nextTurn()
    return text === '' ? 0 : zxcvbn.check(text, names).guessesLog10
  }
  const isStrong = async (part: string) => {
    if ((await rate(part)) < floor) return false
    // `admin@123` is `admin123` to a guesser, though not to the library.
    const bare = part.replaceAll(/[^\p{L}\p{M}\p{N}]/gu, '')
    const marks = Array.from(part).length - Array.from(bare).length
    return marks === 0 || (await rate(bare)) + marks * perMark >= floor
  }
  const isWeak = async (text: string) => {
    for (const part of splitText(text)) if (await isStrong(part)) return false
    return true
  }
  const built = leaveOutNames(password, names)
  if (built && (await isWeak(built.rest))) return { name: built.name }
  return (await isWeak(password)) ? { name: null } : null
}
