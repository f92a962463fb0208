import { isExactNumber } from '@/lib/api-contract/exact-number'
import type { Comparison, FieldKind, Filter, FilterTimestamp, SortOrder } from '@/lib/api-contract/filter'
import { parseTimestamp, SyntaxProblem, type Token, tokenize } from './tokenizer'

const comparisons: readonly Comparison[] = ['eq', 'ne', 'gt', 'ge', 'lt', 'le']
const MAX_DEPTH = 20
const MAX_CONDITIONS = 50

const valueNames: Record<FieldKind, string> = {
  text: 'a quoted text',
  keyword: 'a quoted text',
  uuid: 'a quoted text',
  number: 'a number',
  boolean: 'true or false',
  moment: 'a date such as 2026-11-01',
}

/** Throws SyntaxProblem for a number that would be another whole one as a double, because it would match other rows. */
function exactNumber({ value: text, position }: Token): number {
  if (isExactNumber(text)) return Number(text)
  throw new SyntaxProblem(
    position,
    ['a number that a double keeps'],
    `${text} would be another whole number as a double`,
  )
}

/** Recursive descent over the tokens: or-terms of and-terms of conditions and groups. */
class FilterParser {
  private readonly tokens: Token[]
  private index = 0
  private conditions = 0

  constructor(
    source: string,
    private readonly fields: Readonly<Record<string, FieldKind>>,
  ) {
    this.tokens = tokenize(source)
  }

  parse(): Filter {
    const filter = this.parseTerms('or', 0)
    if (this.peek().kind !== 'end') throw this.unexpected(['and', 'or', 'the end'])
    return filter
  }

  private peek(): Token {
    return this.tokens[this.index] ?? { kind: 'end', value: '', position: 0 }
  }

  private take(kind: Token['kind'], name: string): Token {
    const token = this.peek()
    if (token.kind !== kind) throw this.unexpected([name])
    this.index += 1
    return token
  }

  private takeWord(wanted: string): boolean {
    const token = this.peek()
    if (token.kind !== 'word' || token.value.toLowerCase() !== wanted) return false
    this.index += 1
    return true
  }

  private unexpected(expected: readonly string[]): SyntaxProblem {
    const token = this.peek()
    const found = token.kind === 'end' ? 'the end' : JSON.stringify(token.value)
    return new SyntaxProblem(token.position, expected, `expected ${expected.join(' or ')} but found ${found}`)
  }

  private parseTerms(kind: 'or' | 'and', depth: number): Filter {
    const parseTerm = () => (kind === 'or' ? this.parseTerms('and', depth) : this.parseCondition(depth))
    const first = parseTerm()
    const filters = [first]
    while (this.takeWord(kind)) filters.push(parseTerm())
    return filters.length === 1 ? first : { kind, filters }
  }

  private parseCondition(depth: number): Filter {
    if (this.peek().kind === 'open') return this.parseGroup(depth + 1)
    this.conditions += 1
    if (this.conditions > MAX_CONDITIONS) {
      throw new SyntaxProblem(this.peek().position, [], `at most ${MAX_CONDITIONS} conditions are understood`)
    }
    const [token, following] = [this.peek(), this.tokens[this.index + 1]]
    if (token.kind === 'word' && token.value.toLowerCase() === 'contains' && following?.kind === 'open')
      return this.parseContains()
    return this.parseComparison()
  }

  private parseGroup(depth: number): Filter {
    if (depth > MAX_DEPTH)
      throw new SyntaxProblem(this.peek().position, [], `at most ${MAX_DEPTH} levels of parentheses are understood`)
    this.take('open', '(')
    const filter = this.parseTerms('or', depth)
    if (this.peek().kind !== 'close') throw this.unexpected(['and', 'or', ')'])
    this.index += 1
    return filter
  }

  private parseField(names: readonly string[]): string {
    const token = this.peek()
    if (token.kind !== 'word' || !names.includes(token.value)) throw this.unexpected(names)
    this.index += 1
    return token.value
  }

  private parseContains(): Filter {
    this.index += 1
    this.take('open', '(')
    const field = this.parseField(Object.keys(this.fields).filter((name) => this.fields[name] === 'text'))
    this.take('comma', ',')
    const token = this.take('text', valueNames.text)
    if (token.value === '')
      throw new SyntaxProblem(token.position, ['text of at least one character'], 'the text to look for is empty')
    this.take('close', ')')
    return { kind: 'contains', field, value: token.value }
  }

  private parseComparison(): Filter {
    const field = this.parseField(Object.keys(this.fields))
    const kind = this.fields[field] ?? 'text'
    const allowed = kind === 'boolean' || kind === 'uuid' ? comparisons.slice(0, 2) : comparisons
    const comparison = allowed.find((name) => this.takeWord(name))
    if (!comparison) throw this.unexpected(allowed)
    return { kind: 'compare', field, comparison, value: this.parseValue(kind) }
  }

  private parseValue(kind: FieldKind): string | number | boolean | FilterTimestamp {
    if (kind === 'boolean') {
      if (this.takeWord('true')) return true
      if (this.takeWord('false')) return false
      throw this.unexpected([valueNames.boolean])
    }
    if (kind === 'number') return exactNumber(this.take('number', valueNames.number))
    if (kind !== 'moment') return this.take('text', valueNames[kind]).value
    const token =
      this.peek().kind === 'text' ? this.take('text', valueNames.moment) : this.take('moment', valueNames.moment)
    if (!parseTimestamp(token.value))
      throw new SyntaxProblem(token.position, [valueNames.moment], `${token.value} is not a date that exists`)
    return { moment: token.value }
  }
}

/**
 * Parses a filter over `fields` (name → kind): comparisons with eq ne gt ge lt le, contains(field,'text'), and, or,
 * parentheses; `and` binds stronger than `or`. Throws SyntaxProblem with the position and what was expected there.
 * Grammar: service/README.md, "Filters and orders".
 */
export function parseFilter(source: string, fields: Readonly<Record<string, FieldKind>>): Filter {
  return new FilterParser(source, fields).parse()
}

const MAX_ORDER_FIELDS = 4

/**
 * Parses a sort order such as `scheduleDate desc,amount`: up to four fields of `names`, each once, each with an
 * optional `asc` or `desc`. Throws SyntaxProblem with the position and what was expected there.
 */
export function parseOrder(source: string, names: readonly string[]): SortOrder[] {
  const orders: SortOrder[] = []
  let position = 0
  for (const part of source.split(',')) {
    const words = [...part.matchAll(/[^ \t]+/gu)]
    const [name, direction, more] = words
    const at = (word: RegExpExecArray | undefined) => position + (word?.index ?? part.length)
    if (!name || !names.includes(name[0])) {
      throw new SyntaxProblem(
        at(name),
        names,
        `expected a field but found ${name ? JSON.stringify(name[0]) : 'nothing'}`,
      )
    }
    const folded = (direction?.[0] ?? 'asc').toLowerCase()
    if (folded !== 'asc' && folded !== 'desc') {
      throw new SyntaxProblem(
        at(direction),
        ['asc', 'desc', ','],
        `expected asc, desc or a comma but found ${JSON.stringify(direction?.[0])}`,
      )
    }
    if (more)
      throw new SyntaxProblem(at(more), [',', 'the end'], `expected a comma but found ${JSON.stringify(more[0])}`)
    if (orders.some(({ field }) => field === name[0]))
      throw new SyntaxProblem(at(name), names, `${name[0]} stands there twice`)
    if (orders.length === MAX_ORDER_FIELDS)
      throw new SyntaxProblem(at(name), ['the end'], `at most ${MAX_ORDER_FIELDS} fields are understood`)
    orders.push({ field: name[0], direction: folded })
    position += part.length + 1
  }
  return orders
}
