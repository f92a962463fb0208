type Given = Partial<Record<'HOST' | 'NEXTAUTH_SECRET' | 'NEXTAUTH_URL' | 'UPSTREAM_URL', string>> & {
  TRUSTED_PROXIES?: unknown
  DEMO_SIGN_INS?: unknown
}

const isLocal = 'is for a desk on this machine alone'

/**
 * What keeps a desk that others on the network reach (HOST is no loopback address) from starting: the setting that mends
 * it, and why.
 */
export function refuseOpenDesk(given: Given): [name: string, problem: string][] {
  const when = `with HOST=${given.HOST}`
  const problems: [string, string][] = []
  if (!given.NEXTAUTH_SECRET)
    problems.push(['NEXTAUTH_SECRET', `is needed ${when}, at least 32 random characters: a generated one ${isLocal}`])
  if (!given.NEXTAUTH_URL?.startsWith('https:')) {
    const why = 'over plain http others could read passwords and cookies'
    problems.push(['NEXTAUTH_URL', `must be the public https address ${when}: ${why}`])
    // Beside an https address it is asked for anyway (settings.ts).
    if (!given.TRUSTED_PROXIES)
      problems.push([
        'TRUSTED_PROXIES',
        `is needed ${when}: the number of proxies before the desk, their addresses, or none`,
      ])
  }
  if (given.DEMO_SIGN_INS) problems.push(['DEMO_SIGN_INS', `${isLocal}: unset it, or HOST`])
  else if (!given.UPSTREAM_URL)
    problems.push(['UPSTREAM_URL', `is needed ${when}: the embedded service with its demo sign-ins ${isLocal}`])
  return problems
}
