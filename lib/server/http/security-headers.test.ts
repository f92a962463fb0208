import { expect, it, vi } from 'vitest'

/** The header of a desk started with these settings, which are read only once. */
async function readTransport(address: string, subdomains: string): Promise<string | undefined> {
  vi.resetModules()
  globalThis.debitdeskSettings = undefined
  process.env.NEXTAUTH_URL = address
  process.env.TRUSTED_PROXIES = 'none'
  process.env.HSTS_SUBDOMAINS = subdomains
  const { listSecurityHeaders } = await import('./security-headers')
  return new Map(listSecurityHeaders()).get('strict-transport-security')
}

it.each([
  ['https://desk.example', '', 'max-age=31536000'],
  ['https://desk.example', 'no', 'max-age=31536000'],
  ['https://desk.example', 'yes', 'max-age=31536000; includeSubDomains'],
  ['http://127.0.0.1:3000', 'yes', undefined],
])('tells browsers of %s with HSTS_SUBDOMAINS=%s to come back by https: %s', async (address, subdomains, expected) => {
  expect(await readTransport(address, subdomains)).toBe(expected)
})

it('takes no other word', async () => {
  await expect(readTransport('https://desk.example', 'true')).rejects.toThrow('HSTS_SUBDOMAINS must be one of no, yes')
})
