/** Whether text is the address of a Postgres as the driver reads it; with `/`, `#` or such in a password it is cut there. */
export function isPostgresUrl(text: string): boolean {
  if (!/^postgres(?:ql)?:\/\//u.test(text)) return false
  // A socket's folder stands in `?host=`, and then no host before the path.
  const whole = text.replace('@/', '@localhost/')
  if (!URL.canParse(whole)) return false
  const { pathname, hash } = new URL(whole)
  return hash === '' && !pathname.includes('@')
}
