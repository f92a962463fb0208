import * as z from 'zod'

import * as m from '../messages/m'
const MAX_LENGTH = 200

/** Literal segments in places where an id could be: a value equal to one of them would address another endpoint. */
export const reservedWords = ['mandates', 'agreements', 'webhooks', 'subscribe', 'unsubscribe'] as const

/** Characters that a path, a proxy or a log could interpret as structure, and all invisible ones. */
const structural = /[/\\%?#;\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

/**
 * Why `value` cannot be a path segment; null when it can. A valid segment cannot escape its path template once encoded:
 * no separators, dot segments, percent signs or lone surrogates. A record whose handle contains one must be addressed
 * by its id (decision 0005).
 */
export function explainSegment(value: string): string | null {
  if (value === '') return m.contractFields_mustNotBeEmpty()
  if (value.length > MAX_LENGTH) return m.contractFields_mustBeAtMostCharacters({ characters: MAX_LENGTH })
  if (!value.isWellFormed()) return m.pathSegment_isNotWellFormed()
  if (value === '.' || value === '..') return m.pathSegment_mustNotBeADotSegment()
  if (structural.test(value)) return m.pathSegment_mustNotContainStructure()
  if (value !== value.trim()) return m.pathSegment_mustNotBeginOrEndWithASpace()
  if ((reservedWords as readonly string[]).includes(value.toLowerCase())) return m.pathSegment_isAWordOfThePath()
  return null
}

const anyCase = (word: string) => word.replaceAll(/[a-z]/gu, (letter) => `[${letter}${letter.toUpperCase()}]`)

/** The same rules as one pattern, for the OpenAPI document; a test compares it with `explainSegment`. */
const segmentPattern = [
  String.raw`^(?!\.{1,2}$)(?!\s)(?!.*\s$)`,
  `(?!(?:${reservedWords.map(anyCase).join('|')})$)`,
  String.raw`[^/\\%?#;\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+$`,
].join('')

/** A path segment: an id or a handle. */
export const segment = z
  .string()
  .superRefine((value, context) => {
    const reason = explainSegment(value)
    if (reason) context.addIssue({ code: 'custom', message: reason })
  })
  .meta({ minLength: 1, maxLength: MAX_LENGTH, pattern: segmentPattern })

/** A path segment documented as UUID (any version, any case). */
export const uuidSegment = z
  .string()
  .regex(/^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/u, {
    error: m.contractFields_mustBeAUuid,
  })
  .meta({ format: 'uuid' })
