import { isDeepStrictEqual } from 'node:util'
import { isExactNumber } from '@/lib/api-contract/exact-number'
import { isRecord, type Omission, type OmissionReason, attachOmissions } from '@/lib/api-contract/record-fields'
import * as m from '@/lib/messages/m'

/** Later passes over a parsed value are recursive, so nesting is bounded. */
export const MAX_DEPTH = 64
/** Levels below it that are read past, before the whole text is refused: more would take longer than an ordinary reply. */
const MAX_SKIPPED_DEPTH = 1_000_000
/** V8 blocks the event loop for about a second on an object with some hundred thousand names. */
export const MAX_NAMES = 10_000
/** UTF-16 code units of one string in a reply: far above any real field, far below what slows a list down. */
export const MAX_TEXT_LENGTH = 100_000

/** Why a text is unusable as a whole: it isn't JSON, or a fault lies outside any record that could carry the omission. */
export class JsonError extends SyntaxError {
  constructor(
    readonly why: OmissionReason | 'cut-off' | 'trailing' | 'invalid' | 'inexact',
    readonly field = '',
  ) {
    super(field === '' ? why : `${why}: ${field}`)
  }
}

/** The fault as a predicate, for a sentence whose subject is the text or its `field`. */
export function describeJsonError({ why, field }: JsonError): string {
  switch (why) {
    case 'cut-off':
      return m.jsonFaults_cutOff()
    case 'trailing':
      return m.jsonFaults_goesOn()
    case 'too-deep':
      return m.jsonFaults_nestsTooDeep({ levels: MAX_DEPTH })
    case 'too-many-names':
      return m.jsonFaults_hasTooManyNames({ names: MAX_NAMES })
    case 'too-long':
      return m.jsonFaults_hasTextTooLong({ characters: MAX_TEXT_LENGTH })
    case 'unsafe-key':
      return m.jsonFaults_holdsUnsafeKey({ key: field.split('.').at(-1) ?? field })
    case 'twice':
      return m.jsonFaults_givenTwice()
    case 'not-utf8':
      return m.jsonFaults_isNotUtf8()
    case 'inexact':
      return m.jsonFaults_isInexact()
    default:
      return m.jsonFaults_isNotJson()
  }
}

/** Index after the closing quote of the string that starts at `from`; past the end of the text when it is unterminated. */
export function skipString(text: string, from: number): number {
  const end = text.indexOf('"', from + 1)
  if (end < 0) return text.length + 1
  // Fast path: hardly any string contains an escaped quote.
  if (text.charCodeAt(end - 1) !== 0x5c) return end + 1
  let index = from + 1
  while (index < text.length && text.charCodeAt(index) !== 0x22) index += text.charCodeAt(index) === 0x5c ? 2 : 1
  return index + 1
}

export function isUnsafe(name: string, value: unknown): boolean {
  return name === '__proto__' || (name === 'constructor' && isRecord(value) && Object.hasOwn(value, 'prototype'))
}

const MAX_OMISSIONS = 20
/** Beyond this, the reply as a whole is broken rather than holding a few bad records. */
const MAX_FAULTS = 10_000
const MAX_SHOWN_NAME = 60
const MAX_SHOWN_PATH = 200

export type JsonRules = {
  /**
   * `refuse` throws on anything that cannot be taken unchanged. `mark` drops it and records an omission on every
   * enclosing record (`attachOmissions`); numbers beyond a double's precision become text with the same digits.
   */
  faults: 'refuse' | 'mark'
  /** Whether the text was decoded from invalid UTF-8, so that U+FFFD is a replacement. */
  isLossy?: boolean
}

type ListFrame = { list: unknown[] }
type RecordFrame = {
  record: Record<string, unknown>
  /** The name of the next value; null when that value is dropped. */
  name: string | null
  names: number
  /** Names dropped for good, including later repetitions. */
  dropped: Set<string>
  omissions: Omission[]
}
type Frame = ListFrame | RecordFrame

const opened = Symbol('opened')
const skipped = Symbol('muted')

const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const listStart = 0x5b
const recordStart = 0x7b
/** `]` and `}` are two code points after `[` and `{`. */
const endOf = (start: number) => start + 2

// oxlint-disable-next-line no-control-regex -- JSON allows none of them in a string as they are
const plainString = /"[^"\\\u0000-\u001F]*"/uy
const space = /[ \t\n\r]*/uy
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])|(?:true|false|null)(?!\w)/uy
const wholeNumber = /^-?[1-9]\d*$/u
/** Fields where U+FFFD would turn one identifier into another. */
const identifier = /^(?:id|handle)$/iu

function joinPath(name: string, rest: string): string {
  const shown = name.length > MAX_SHOWN_NAME ? `${name.slice(0, MAX_SHOWN_NAME).toWellFormed()}…` : name
  if (rest === '') return shown
  return rest.length > MAX_SHOWN_PATH ? `${shown}.…` : `${shown}.${rest}`
}

/** An iterative JSON parser. */
class TolerantJsonParser {
  #at = 0
  #faults = 0
  readonly #frames: Frame[] = []
  /** Closing characters of the open containers that are only checked for syntax. */
  readonly #skipped: number[] = []

  constructor(
    readonly text: string,
    readonly rules: JsonRules,
  ) {}

  read(): unknown {
    for (;;) {
      let value = this.#readValue()
      if (value === opened) continue
      while (this.#isInside()) {
        this.#put(value)
        const next = this.#peek()
        if (next === comma) {
          this.#at += 1
          if (this.#closing() === endOf(recordStart)) this.#readName()
          break
        }
        if (next !== this.#closing()) this.#fail()
        this.#at += 1
        value = this.#close()
      }
      if (this.#isInside()) continue
      if (!Number.isNaN(this.#peek())) throw new JsonError('trailing')
      return value
    }
  }

  #isInside(): boolean {
    return this.#frames.length > 0
  }

  #closing(): number {
    const skippedEnd = this.#skipped.at(-1)
    if (skippedEnd !== undefined) return skippedEnd
    const frame = this.#frames.at(-1)
    return endOf(frame && 'record' in frame ? recordStart : listStart)
  }

  #fail(): never {
    const rest = this.text.slice(this.#at, this.#at + 40)
    throw new JsonError(/^[-+.\w]*$/u.test(rest) && this.#at + rest.length >= this.text.length ? 'cut-off' : 'invalid')
  }

  /** The next character that isn't white space; NaN at the end. */
  #peek(): number {
    const code = this.text.charCodeAt(this.#at)
    if (code > 0x20) return code
    space.lastIndex = this.#at
    space.exec(this.text)
    this.#at = space.lastIndex
    return this.text.charCodeAt(this.#at)
  }

  #readValue(): unknown {
    const code = this.#peek()
    if (code === quote) return this.#readText()
    if (code === listStart || code === recordStart) {
      this.#at += 1
      this.#open(code)
      if (this.#peek() === endOf(code)) {
        this.#at += 1
        return this.#close()
      }
      if (code === recordStart) this.#readName()
      return opened
    }
    scalar.lastIndex = this.#at
    const [raw] = scalar.exec(this.text) ?? this.#fail()
    this.#at += raw.length
    return this.#readScalar(raw)
  }

  #readScalar(raw: string): unknown {
    if (raw === 'true' || raw === 'false') return raw === 'true'
    if (raw === 'null') return null
    const number = Number(raw)
    if (this.rules.faults === 'refuse') {
      if (!isExactNumber(raw)) throw new JsonError('inexact', this.#findField())
      return number
    }
    const isExact = Number.isFinite(number) && (!wholeNumber.test(raw) || Number.isSafeInteger(number))
    return isExact ? number : raw
  }

  /** The path of the value that is being read. */
  #findField(): string {
    return this.#frames.reduceRight(
      (rest, frame) => joinPath('list' in frame ? String(frame.list.length + 1) : (frame.name ?? ''), rest),
      '',
    )
  }

  #readText(): string {
    const from = this.#at
    plainString.lastIndex = from
    if (plainString.test(this.text)) {
      this.#at = plainString.lastIndex
      return this.text.slice(from + 1, this.#at - 1)
    }
    const end = skipString(this.text, from)
    if (end > this.text.length) throw new JsonError('cut-off')
    const raw = this.text.slice(from, end)
    this.#at = end
    try {
      return String(JSON.parse(raw))
    } catch {
      throw new JsonError('invalid')
    }
  }

  #readName(): void {
    if (this.#peek() !== quote) this.#fail()
    const name = this.#readText()
    if (this.#peek() !== colon) this.#fail()
    this.#at += 1
    const frame = this.#frames.at(-1)
    if (this.#skipped.length > 0 || !frame || !('record' in frame)) return
    frame.names += 1
    frame.name = name
    if (frame.dropped.has(name)) frame.name = null
    else if (name === '__proto__') this.#drop(frame, 'unsafe-key')
    else if (this.#isTooLong(name)) this.#drop(frame, 'too-long')
    else if (frame.names > MAX_NAMES && !Object.hasOwn(frame.record, name)) {
      if (frame.names === MAX_NAMES + 1) this.#recordFault('too-many-names', '')
      frame.name = null
    }
  }

  #open(code: number): void {
    const frame = this.#frames.at(-1)
    const isDropped = frame !== undefined && 'record' in frame && frame.name === null
    if (this.#skipped.length >= MAX_SKIPPED_DEPTH) throw new JsonError('too-deep')
    if (this.#skipped.length > 0 || isDropped || this.#frames.length >= MAX_DEPTH) this.#skipped.push(endOf(code))
    else if (code === listStart) this.#frames.push({ list: [] })
    else this.#frames.push({ record: {}, name: null, names: 0, dropped: new Set(), omissions: [] })
  }

  #close(): unknown {
    if (this.#skipped.pop() !== undefined) return skipped
    const frame = this.#frames.pop()
    if (!frame) return this.#fail()
    if ('list' in frame) return frame.list
    if (frame.omissions.length > 0) attachOmissions(frame.record, frame.omissions)
    return frame.record
  }

  #isTooLong(value: unknown): boolean {
    return typeof value === 'string' && value.length > MAX_TEXT_LENGTH && this.rules.faults === 'mark'
  }

  #put(value: unknown): void {
    const frame = this.#frames.at(-1)
    if (this.#skipped.length > 0 || !frame) return
    if ('list' in frame) {
      const reason = this.#findFault(value)
      if (reason) this.#recordFault(reason, String(frame.list.length + 1))
      frame.list.push(reason && reason !== 'not-utf8' ? null : value)
      return
    }
    const { name, record } = frame
    if (name === null) return
    const reason = this.#findFault(value)
    if (isUnsafe(name, value)) this.#drop(frame, 'unsafe-key')
    else if (reason && (reason !== 'not-utf8' || identifier.test(name))) this.#drop(frame, reason)
    else if (Object.hasOwn(record, name) && !isDeepStrictEqual(record[name], value)) this.#drop(frame, 'twice')
    else {
      if (reason) this.#recordFault(reason, name)
      record[name] = value
    }
  }

  #findFault(value: unknown): OmissionReason | null {
    if (value === skipped) return 'too-deep'
    if (this.#isTooLong(value)) return 'too-long'
    return this.rules.isLossy && typeof value === 'string' && value.includes('\uFFFD') ? 'not-utf8' : null
  }

  #drop(frame: RecordFrame, reason: OmissionReason): void {
    const name = frame.name ?? ''
    this.#recordFault(reason, name)
    frame.dropped.add(name)
    if (Object.hasOwn(frame.record, name)) Reflect.deleteProperty(frame.record, name)
    frame.name = null
  }

  /** Records a fault on every open record, with the path relative to each. */
  #recordFault(reason: OmissionReason, name: string): void {
    let field = name === '' ? '' : joinPath(name, '')
    let isRecorded = false
    this.#faults += 1
    if (this.#faults > MAX_FAULTS) throw new JsonError(reason)
    for (let depth = this.#frames.length - 1; depth >= 0; depth -= 1) {
      const frame = this.#frames[depth]
      if (frame && 'record' in frame && this.rules.faults === 'mark') {
        // An omission on an inner record is on the outer ones too, so those are full as well.
        if (!isRecorded && frame.omissions.length >= MAX_OMISSIONS) return
        if (frame.omissions.length < MAX_OMISSIONS) frame.omissions.push({ field, why: reason })
        isRecorded = true
      }
      const parent = this.#frames[depth - 1]
      if (parent) field = joinPath('list' in parent ? String(parent.list.length + 1) : (parent.name ?? ''), field)
    }
    if (!isRecorded) throw new JsonError(reason, this.rules.faults === 'refuse' ? field : '')
  }
}

/**
 * Parses JSON piece by piece and locates what it cannot accept. Several times slower than JSON.parse, so only for texts
 * that failed the quick check. Throws JsonError.
 */
export function parseTolerantJson(text: string, rules: JsonRules): unknown {
  return new TolerantJsonParser(text, rules).read()
}
