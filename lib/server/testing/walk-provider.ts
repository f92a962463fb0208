import type { OpenIdProvider } from './openid-provider'

const mostHops = 10

/** Goes from the desk's redirect where a browser would, as this subject, until the way leads back to the desk. For tests. */
export async function walkProvider(provider: OpenIdProvider, start: string, sub: string, desk: string): Promise<URL> {
  const jar = new Map<string, string>()
  let address = start
  for (let hop = 0; hop < mostHops; hop += 1) {
    provider.next = sub
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(address, { redirect: 'manual', headers: { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/u.exec(line) ?? []
      jar.set(name, value)
    }
    const location = response.headers.get('location')
    if (!location) throw new Error(`the provider answered ${response.status}: ${await response.text()}`)
    const next = new URL(location, address)
    if (next.origin === desk) return next
    address = next.href
  }
  throw new Error('the provider goes in circles')
}
