import { type Role, roles } from '@/lib/contract/permission'
import { defaultConnectionId } from '../store/default-connection'

/** The value at a dotted path, such as `realm_access.roles`; a claim whose name itself holds dots is taken first. */
function readPath(claims: Readonly<Record<string, unknown>>, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path]
  return path.split('.').reduce<unknown>((value, name) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    return Object.entries(value).find(([key]) => key === name)?.[1]
  }, claims)
}

/**
 * The roles that a provider's claim gives, by merchant: `admin`, `support` or `viewer` is the role at the merchant of
 * the settings, `support:m-1a2b3c` that at another. Of several for one merchant the strongest counts; anything
 * else says nothing here. A list, one word, or words separated by spaces or commas.
 */
export function readRoles(claims: Readonly<Record<string, unknown>>, path: string): Map<string, Role> {
  const given = readPath(claims, path)
  const words = (Array.isArray(given) ? given : [given]).flatMap((one) =>
    typeof one === 'string' ? one.split(/[\s,]+/u) : [],
  )
  const found = new Map<string, Role>()
  // Weakest first, so that the strongest is written last.
  for (const role of roles.toReversed()) {
    for (const word of words) {
      if (word === role) found.set(defaultConnectionId, role)
      else if (word.startsWith(`${role}:`)) found.set(word.slice(role.length + 1), role)
    }
  }
  return found
}
