import type { Order } from '@/lib/contract/filter'
import { SyntaxProblem } from './tokenize'

const mostFields = 4

/**
 * Reads an order such as `scheduleDate desc,amount`: up to four fields of `names`, each once, each with
 * an optional `asc` or `desc`. Throws SyntaxProblem with the position and what was expected there.
 */
export function parseOrder(source: string, names: readonly string[]): Order[] {
  const orders: Order[] = []
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
    if (orders.length === mostFields)
      throw new SyntaxProblem(at(name), ['the end'], `at most ${mostFields} fields are understood`)
    orders.push({ field: name[0], direction: folded })
    position += part.length + 1
  }
  return orders
}
