import * as z from 'zod'
import * as fields from './words/fields'
import * as words from './words/path-segment'

const longest = 200

/** Words that stand where a customer, mandate or agreement could: a value like them would name another endpoint. */
export const reservedWords = ['mandates', 'agreements', 'webhooks', 'subscribe', 'unsubscribe'] as const

/** Characters that a path, a proxy or a log could read as structure, and everything invisible. */
const structural = /[/\\%?#;\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

/**
 * Says why `value` cannot be one path segment, or null when it can. Nothing that passes can leave its
 * template once encoded: no separators, no dot segments, no percent signs, no lone surrogates.
 * A handle that holds one of these is real but must be addressed by its id (decision 0005).
 */
export function explainSegment(value: string): string | null {
  if (value === '') return fields.mustNotBeEmpty
  if (value.length > longest) return fields.mustBeAtMostCharacters(longest)
  if (!value.isWellFormed()) return words.isNotWellFormed
  if (value === '.' || value === '..') return words.mustNotBeADotSegment
  if (structural.test(value)) return words.mustNotContainStructure
  if (value !== value.trim()) return words.mustNotBeginOrEndWithASpace
  if ((reservedWords as readonly string[]).includes(value.toLowerCase())) return words.isAWordOfThePath
  return null
}

const anyCase = (word: string) => word.replaceAll(/[a-z]/gu, (letter) => `[${letter}${letter.toUpperCase()}]`)

/** The same rules as one pattern, for the OpenAPI document; a test holds it against `explainSegment`. */
const segmentPattern = [
  String.raw`^(?!\.{1,2}$)(?!\s)(?!.*\s$)`,
  `(?!(?:${reservedWords.map(anyCase).join('|')})$)`,
  String.raw`[^/\\%?#;\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+$`,
].join('')

/** One path segment: an id or a handle. Errors name the rule. */
export const segment = z
  .string()
  .superRefine((value, context) => {
    const reason = explainSegment(value)
    if (reason) context.addIssue({ code: 'custom', message: reason })
  })
  .meta({ minLength: 1, maxLength: longest, pattern: segmentPattern })

/** A path segment documented as UUID (any version, any case). */
export const uuidSegment = z
  .string()
  .regex(/^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/u, fields.mustBeAUuid)
  .meta({ format: 'uuid' })
