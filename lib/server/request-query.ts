import { merchantParameter } from './asked-merchant'
import { isDecodable } from '../format/is-decodable'
import { Failure } from './failure'
import * as fields from '@/lib/words/fields'
import * as refusals from '@/lib/words/refusals'

/** The name of the first parameter that is not UTF-8 behind its percent signs: URL would read it as something that nobody wrote. */
function findUndecodable(search: string): string | null {
  const pair = search
    .slice(1)
    .split('&')
    .find((part) => part !== '' && !isDecodable(part))
  if (pair === undefined) return null
  const [name] = new URLSearchParams(pair).keys()
  return name ?? ''
}

function refuse(name: string, explain: (name: string) => string, reason: string): never {
  const shown = name.slice(0, 100)
  throw new Failure('bad-request', { detail: explain(shown), errors: { [shown]: [reason] } })
}

/**
 * Reads a request's query as text per name. A name that comes twice is refused (BF-15), unless it is one
 * of `repeatable`, whose value is then always a list, and so is one that does not decode. The
 * merchant that a link names is none of it: the session gate has read that. Throws Failure 'bad-request'.
 */
export function readRequestQuery(
  request: Request,
  repeatable: readonly string[] = [],
): Record<string, string | string[]> {
  const { searchParams, search } = new URL(request.url)
  const undecodable = findUndecodable(search)
  if (undecodable !== null) refuse(undecodable, refusals.doesNotDecode, fields.doesNotDecode)
  const names = [...new Set(searchParams.keys())].filter((name) => name !== merchantParameter)
  return Object.fromEntries(
    names.map((name) => {
      const values = searchParams.getAll(name)
      if (repeatable.includes(name)) return [name, values]
      const [value = '', ...others] = values
      if (others.length === 0) return [name, value]
      return refuse(name, refusals.wasGivenTwice, fields.wasGivenTwice)
    }),
  )
}
