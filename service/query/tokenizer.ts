const timestampPattern =
  /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/u

/** Parses `2026-11-01` (midnight UTC) or a date-time with offset; null for anything else and for days that do not exist. */
export function parseTimestamp(text: string): Date | null {
  const parts = timestampPattern.exec(text)
  if (!parts) return null
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])]
  const date = new Date(Date.UTC(2000, 0, 1))
  date.setUTCFullYear(year, month - 1, day)
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day || year < 1) return null
  const read = new Date(text)
  return Number.isNaN(read.getTime()) || read.getUTCFullYear() < 1 || read.getUTCFullYear() > 9999 ? null : read
}

/** `position` counts UTF-16 code units from 0. */
export type Token = {
  kind: 'word' | 'text' | 'number' | 'moment' | 'open' | 'close' | 'comma' | 'end'
  /** The token as written; for `text` the unescaped content of the quotes. */
  value: string
  position: number
}

/** A syntax error in a filter or sort order: its position and what was expected there. */
export class SyntaxProblem extends Error {
  constructor(
    readonly position: number,
    readonly expected: readonly string[],
    message: string,
  ) {
    super(message)
    this.name = 'SyntaxProblem'
  }
}

const spaces = /[ \t]*/uy
const word = /[A-Za-z_][A-Za-z0-9_]*(?:\/[A-Za-z_][A-Za-z0-9_]*)*/uy
const moment = /\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?(?![\w.:])/uy
const number = /-?\d{1,30}(?:\.\d{1,30})?(?![\w.:])/uy
const text = /'((?:[^']|'')*)'/uy

const marks: Record<string, Token['kind']> = { '(': 'open', ')': 'close', ',': 'comma' }

function match(pattern: RegExp, source: string, position: number): RegExpExecArray | null {
  pattern.lastIndex = position
  return pattern.exec(source)
}

function nextToken(source: string, position: number): { token: Token; next: number } {
  const mark = marks[source.charAt(position)]
  if (mark) return { token: { kind: mark, value: source.charAt(position), position }, next: position + 1 }
  const quoted = match(text, source, position)
  if (quoted) {
    const value = (quoted[1] ?? '').replaceAll("''", "'")
    return { token: { kind: 'text', value, position }, next: position + quoted[0].length }
  }
  if (source.charAt(position) === "'") throw new SyntaxProblem(source.length, ["'"], 'the quoted text does not end')
  for (const [kind, pattern] of [
    ['moment', moment],
    ['number', number],
    ['word', word],
  ] as const) {
    const found = match(pattern, source, position)
    if (found) return { token: { kind, value: found[0], position }, next: position + found[0].length }
  }
  const character = String.fromCodePoint(source.codePointAt(position) ?? 0)
  const expected = ['a field', 'a value', '(', ')', ',']
  throw new SyntaxProblem(position, expected, `${JSON.stringify(character)} does not belong here`)
}

/** Splits a filter into tokens; the last is of kind `end`. Throws SyntaxProblem. */
export function tokenize(source: string): Token[] {
  const tokens: Token[] = []
  let position = match(spaces, source, 0)?.[0].length ?? 0
  while (position < source.length) {
    const { token, next } = nextToken(source, position)
    tokens.push(token)
    position = next + (match(spaces, source, next)?.[0].length ?? 0)
  }
  tokens.push({ kind: 'end', value: '', position: source.length })
  return tokens
}
