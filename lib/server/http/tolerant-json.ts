import { isDeepStrictEqual } from 'node:util'
import { isRecord, type Omission, type OmissionReason, attachOmissions } from '@/lib/api-contract/record-fields'
import * as words from '@/lib/words/json-faults'

/** What walks a parsed value later is recursive. */
export const maxDepth = 64
/** V8 takes a second for an object of some hundred thousand names, and nobody else is served meanwhile. */
export const maxNames = 10_000
/** The longest text in a reply, in UTF-16 code units: far above what a field holds, far below what slows a list down. */
export const maxText = 100_000

/** Why a text is not used at all: it isn't JSON, or it holds what would have to be left out and there is no record to say so at. */
export class JsonError extends SyntaxError {
  constructor(
    readonly why: OmissionReason | 'cut-off' | 'trailing' | 'invalid',
    readonly field = '',
  ) {
    super(field === '' ? why : `${why}: ${field}`)
  }
}

/** What is wrong with JSON, as the end of a sentence that begins with what it is or with its `field`. */
export function describeJsonError({ why, field }: JsonError): string {
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

const maxNotes = 20
/** More of them are no bad record among good ones. */
const maxFaults = 10_000
const maxShownName = 60
const maxShownPath = 200

export type JsonRules = {
  /**
   * `refuse` throws for what cannot be taken as it stands. `mark` leaves it out and notes that at every record around
   * it (`attachOmissions`); numbers that a double cannot hold become their digits as text.
   */
  faults: 'refuse' | 'mark'
  /** Whether the text was decoded from bytes that are not UTF-8, so that U+FFFD stands for something else. */
  isLossy?: boolean
}

type ListFrame = { list: unknown[] }
type RecordFrame = {
  record: Record<string, unknown>
  /** The name that the next value has; null where that is left out. */
  name: string | null
  names: number
  /** Names that are left out, however often they come. */
  gone: Set<string>
  notes: Omission[]
}
type Frame = ListFrame | RecordFrame

const opened = Symbol('opened')
const muted = Symbol('muted')

const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const listStart = 0x5b
const recordStart = 0x7b
/** `]` and `}` stand two past `[` and `{`. */
const endOf = (start: number) => start + 2

// oxlint-disable-next-line no-control-regex -- JSON allows none of them in a string as they are
const plainString = /"[^"\\\u0000-\u001F]*"/uy
const space = /[ \t\n\r]*/uy
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])|(?:true|false|null)(?!\w)/uy
const wholeNumber = /^-?[1-9]\d*$/u
/** In these, U+FFFD would make the name of something else. */
const identifier = /^(?:id|handle)$/iu

function joinPath(name: string, rest: string): string {
  const shown = name.length > maxShownName ? `${name.slice(0, maxShownName).toWellFormed()}…` : name
  if (rest === '') return shown
  return rest.length > maxShownPath ? `${shown}.…` : `${shown}.${rest}`
}

/** Reads one JSON text without recursion. */
class TolerantJsonParser {
  #at = 0
  #faults = 0
  readonly #frames: Frame[] = []
  /** How the containers close that are read for their grammar alone. */
  readonly #muted: number[] = []

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
    const inMuted = this.#muted.at(-1)
    if (inMuted !== undefined) return inMuted
    const frame = this.#frames.at(-1)
    return endOf(frame && 'record' in frame ? recordStart : listStart)
  }

  #fail(): never {
    const rest = this.text.slice(this.#at, this.#at + 40)
    throw new JsonError(/^[-+.\w]*$/u.test(rest) && this.#at + rest.length >= this.text.length ? 'cut-off' : 'invalid')
  }

  /** The next character that is no white space; NaN at the end. */
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
    const [written] = scalar.exec(this.text) ?? this.#fail()
    this.#at += written.length
    return this.#readScalar(written)
  }

  #readScalar(written: string): unknown {
    if (written === 'true' || written === 'false') return written === 'true'
    if (written === 'null') return null
    const number = Number(written)
    const isHeld = Number.isFinite(number) && (!wholeNumber.test(written) || Number.isSafeInteger(number))
    return isHeld || this.rules.faults === 'refuse' ? number : written
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
    const written = this.text.slice(from, end)
    this.#at = end
    try {
      return String(JSON.parse(written))
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
    if (this.#muted.length > 0 || !frame || !('record' in frame)) return
    frame.names += 1
    frame.name = name
    if (frame.gone.has(name)) frame.name = null
    else if (name === '__proto__') this.#drop(frame, 'unsafe-key')
    else if (this.#isTooLong(name)) this.#drop(frame, 'too-long')
    else if (frame.names > maxNames && !Object.hasOwn(frame.record, name)) {
      if (frame.names === maxNames + 1) this.#note('too-many-names', '')
      frame.name = null
    }
  }

  #open(code: number): void {
    const frame = this.#frames.at(-1)
    const isLeftOut = frame !== undefined && 'record' in frame && frame.name === null
    if (this.#muted.length > 0 || isLeftOut || this.#frames.length >= maxDepth) this.#muted.push(endOf(code))
    else if (code === listStart) this.#frames.push({ list: [] })
    else this.#frames.push({ record: {}, name: null, names: 0, gone: new Set(), notes: [] })
  }

  #close(): unknown {
    if (this.#muted.pop() !== undefined) return muted
    const frame = this.#frames.pop()
    if (!frame) return this.#fail()
    if ('list' in frame) return frame.list
    if (frame.notes.length > 0) attachOmissions(frame.record, frame.notes)
    return frame.record
  }

  #isTooLong(value: unknown): boolean {
    return typeof value === 'string' && value.length > maxText && this.rules.faults === 'mark'
  }

  #put(value: unknown): void {
    const frame = this.#frames.at(-1)
    if (this.#muted.length > 0 || !frame) return
    if ('list' in frame) {
      const why = this.#judge(value)
      if (why) this.#note(why, String(frame.list.length + 1))
      frame.list.push(why && why !== 'not-utf8' ? null : value)
      return
    }
    const { name, record } = frame
    if (name === null) return
    const why = this.#judge(value)
    if (isUnsafe(name, value)) this.#drop(frame, 'unsafe-key')
    else if (why && (why !== 'not-utf8' || identifier.test(name))) this.#drop(frame, why)
    else if (Object.hasOwn(record, name) && !isDeepStrictEqual(record[name], value)) this.#drop(frame, 'twice')
    else {
      if (why) this.#note(why, name)
      record[name] = value
    }
  }

  #judge(value: unknown): OmissionReason | null {
    if (value === muted) return 'too-deep'
    if (this.#isTooLong(value)) return 'too-long'
    return this.rules.isLossy && typeof value === 'string' && value.includes('\uFFFD') ? 'not-utf8' : null
  }

  #drop(frame: RecordFrame, why: OmissionReason): void {
    const name = frame.name ?? ''
    this.#note(why, name)
    frame.gone.add(name)
    if (Object.hasOwn(frame.record, name)) Reflect.deleteProperty(frame.record, name)
    frame.name = null
  }

  /** Notes a fault at every record that is open, each by the path from there. */
  #note(why: OmissionReason, name: string): void {
    let field = name === '' ? '' : joinPath(name, '')
    let isNoted = false
    this.#faults += 1
    if (this.#faults > maxFaults) throw new JsonError(why)
    for (let depth = this.#frames.length - 1; depth >= 0; depth -= 1) {
      const frame = this.#frames[depth]
      if (frame && 'record' in frame && this.rules.faults === 'mark') {
        // Whatever was noted at an inner record was noted at the outer ones, which are full as well.
        if (!isNoted && frame.notes.length >= maxNotes) return
        if (frame.notes.length < maxNotes) frame.notes.push({ field, why })
        isNoted = true
      }
      const parent = this.#frames[depth - 1]
      if (parent) field = joinPath('list' in parent ? String(parent.list.length + 1) : (parent.name ?? ''), field)
    }
    if (!isNoted) throw new JsonError(why, this.rules.faults === 'refuse' ? field : '')
  }
}

/**
 * Reads JSON part by part, and says of what it cannot take as it stands where that is. Several times slower than
 * JSON.parse: for texts that gave reason. Throws JsonError.
 */
export function parseTolerantJson(text: string, rules: JsonRules): unknown {
  return new TolerantJsonParser(text, rules).read()
}
