/** The signing secret in a reply to a subscription, whose shape is not shown; null where there is none. */
export function readSigningSecret(reply: unknown): string | null {
  if (typeof reply !== 'object' || reply === null) return null
  const found = Object.entries(reply).find(([name]) => /^(?:signing|webhook)?_?secret$/iu.test(name))
  const secret: unknown = found?.[1]
  return typeof secret === 'string' && secret !== '' ? secret : null
}
