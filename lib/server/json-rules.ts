import { isRecord } from '@/lib/contract/is-record'
import type { LeftOutReason } from '@/lib/contract/left-out'
import * as words from '@/lib/words/json-faults'

/** What walks a parsed value later is recursive. */
export const maxDepth = 64
/** V8 takes a second for an object of some hundred thousand names, and nobody else is served meanwhile. */
export const maxNames = 10_000
/** The longest text in a reply, in UTF-16 code units: far above what a field holds, far below what slows a list down. */
export const maxText = 100_000

/** Why a text is not used at all: it isn't JSON, or it holds what would have to be left out and there is no record to say so at. */
export class JsonFault extends SyntaxError {
  constructor(
    readonly why: LeftOutReason | 'cut-off' | 'trailing' | 'invalid',
    readonly field = '',
  ) {
    super(field === '' ? why : `${why}: ${field}`)
  }
}

/** What is wrong with JSON, as the end of a sentence that begins with what it is or with its `field`. */
export function describeJsonFault({ why, field }: JsonFault): string {
  switch (why) {
    case 'cut-off':
      return words.cutOff
    case 'trailing':
      return words.goesOn
    case 'too-deep':
      return words.nestsTooDeep(maxDepth)
    case 'too-many-names':
      return words.hasTooManyNames(maxNames)
    case 'too-long':
      return words.hasTextTooLong(maxText)
    case 'unsafe-key':
      return words.holdsUnsafeKey(field.split('.').at(-1) ?? field)
    case 'twice':
      return words.givenTwice
    case 'not-utf8':
      return words.isNotUtf8
    default:
      return words.isNotJson
  }
}

/** Where the string that begins at a quote ends, past its closing quote; past the text's end where it has none. */
export function skipString(text: string, from: number): number {
  const end = text.indexOf('"', from + 1)
  if (end < 0) return text.length + 1
  // Hardly any string has a quote or a backslash in it.
  if (text.charCodeAt(end - 1) !== 0x5c) return end + 1
  let index = from + 1
  while (index < text.length && text.charCodeAt(index) !== 0x22) index += text.charCodeAt(index) === 0x5c ? 2 : 1
  return index + 1
}

export function isUnsafe(name: string, value: unknown): boolean {
  return name === '__proto__' || (name === 'constructor' && isRecord(value) && Object.hasOwn(value, 'prototype'))
}
