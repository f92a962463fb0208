import type { ZxcvbnFactory } from '@zxcvbn-ts/core'

/**
 * Guesses as a power of ten. What needs fewer is a common word or name, a row of keys, a date, a run or a repetition,
 * or little more than one of them; eight random letters or digits need 10^8.
 */
const fewest = 6
/** The work grows with the square of the length and more: a part of this many characters takes some 20 ms at most. */
const longestPart = 32
/** A mark put in stands in one of few places and is one of few: this much, as a power of ten. */
const perMark = 1

let loading: Promise<ZxcvbnFactory> | undefined

/** Half a megabyte of words, read when the first password is chosen: no start and no page waits for it. */
async function load(): Promise<ZxcvbnFactory> {
  const [core, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ])
  return new core.ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, l33tMaxSubstitutions: 10 })
}

/** Parts to be judged on their own; of a text that only repeats another one, that one. */
function splitText(text: string): string[] {
  const characters = Array.from(/^(.+?)\1+$/su.exec(text)?.[1] ?? text)
  return Array.from({ length: Math.ceil(characters.length / longestPart) }, (_, index) =>
    characters.slice(index * longestPart, (index + 1) * longestPart).join(''),
  )
}

/** The words in it, a word of two or three letters being in too much else. */
function listWords(context: readonly string[]): string[] {
  const parts = context.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)])
  return [...new Set(parts.map((part) => part.toLowerCase()))].filter((part) => part.length >= 4)
}

/**
 * Whether a password, in NFKC, is guessed in fewer than a million guesses by who knows the `context`: the e-mail
 * address and the service's name (NIST SP 800-63B, 5.1.1.2: commonly used, repetitive, sequential, context-specific).
 * A long one is as hard to guess as the hardest of its parts.
 */
export async function isEasyToGuess(password: string, context: readonly string[]): Promise<boolean> {
  const zxcvbn = await (loading ??= load())
  const words = listWords(context)
  const rate = (text: string) => (text === '' ? 0 : zxcvbn.check(text, words).guessesLog10)
  return splitText(password).every((part) => {
    const bare = part.replaceAll(/[^\p{L}\p{M}\p{N}]/gu, '')
    const marks = Array.from(part).length - Array.from(bare).length
    // `admin@123` is `admin123` to a guesser, though not to the library.
    return rate(part) < fewest || (marks > 0 && rate(bare) + marks * perMark < fewest)
  })
}
