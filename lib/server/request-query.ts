import { merchantParameter } from './asked-merchant'
import { Failure } from './failure'
import * as fields from '@/lib/words/fields'
import * as refusals from '@/lib/words/refusals'

/**
 * Reads a request's query as text per name. A name that comes twice is refused (BF-15), unless it is one
 * of `repeatable`, whose value is then always a list. The
 * merchant that a link names is none of it: the session gate has read that. Throws Failure 'bad-request'.
 */
export function readRequestQuery(
  request: Request,
  repeatable: readonly string[] = [],
): Record<string, string | string[]> {
  const { searchParams } = new URL(request.url)
  const names = [...new Set(searchParams.keys())].filter((name) => name !== merchantParameter)
  return Object.fromEntries(
    names.map((name) => {
      const values = searchParams.getAll(name)
      if (repeatable.includes(name)) return [name, values]
      const [value = '', ...others] = values
      if (others.length === 0) return [name, value]
      const shown = name.slice(0, 100)
      throw new Failure('bad-request', {
        detail: refusals.wasGivenTwice(shown),
        errors: { [shown]: [fields.wasGivenTwice] },
      })
    }),
  )
}
