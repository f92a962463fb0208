/** Whether text is the address of a Postgres as the driver reads it; with `/`, `#`, `?` or such in a password it is cut there. */
export function isPostgresUrl(text: string): boolean {
  if (!/^postgres(?:ql)?:\/\//iu.test(text)) return false
  // A socket's folder stands in `?host=`, and then no host before the path.
  const whole = text.replace('@/', '@localhost/')
  if (!URL.canParse(whole)) return false
  const { username, pathname, search, hash } = new URL(whole)
  const isCut = username === '' && /^\?[^=&]*@/u.test(search)
  return hash === '' && !pathname.includes('@') && !isCut
}
