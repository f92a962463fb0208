/** The id of everything that the first merchant has, and words that only its records hold. */
export const theirs = '7d9f1c1e-5a0b-4c57-9a55-0f3c1a2b3c4d'
export const canary = 'only-the-first-merchant'
export const tokens = { first: 'token-of-the-first', second: 'token-of-the-second' }

export const asBasic = (token: string) => `Basic ${Buffer.from(`${token}:`).toString('base64')}`
const record = {
  id: theirs,
  name: canary,
  handle: canary,
  reference: canary,
  status: 'Pending',
  amount: 1,
  currency: 'DKK',
}

/** How a service answers that has two merchants: what belongs to one does not exist for the other. */
export function answerAsTwo(path: string, authorization: string | undefined) {
  const isFirst = authorization === asBasic(tokens.first)
  if (!isFirst && authorization !== asBasic(tokens.second)) return { status: 401, body: '{}' }
  const isList = /^\/(?:Payments|Customers|Customers\/mandates)(?:\?|$)/u.test(path)
  if (isList) return { body: JSON.stringify({ results: isFirst ? [record] : [], hasMore: false }) }
  if (path.includes(theirs) && isFirst) return { body: JSON.stringify(record) }
  if (/[\da-f-]{36}/u.test(path)) return { status: 404, body: '{}' }
  return { body: JSON.stringify(isFirst ? { name: canary } : { name: 'second' }) }
}
