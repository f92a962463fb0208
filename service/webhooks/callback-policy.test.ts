import { expect, test } from 'vitest'
import { type CallbackPolicy, checkResolution, explainCallback } from './callback-policy'

const policy: CallbackPolicy = { allowed: new Set(['127.0.0.1:3000', 'desk.internal:8080']), resolve: async () => [] }

test.each([
  'https://example.com/hooks',
  'https://example.com:8443/hooks?a=1',
  'https://hooks.example.co.uk',
  'https://93.184.216.34/',
  'https://[2606:2800:220:1:248:1893:25c8:1946]/',
  'http://127.0.0.1:3000/hooks/abc',
  'http://desk.internal:8080/',
])('%s may be called', (address) => {
  expect(explainCallback(policy, address)).toBeNull()
})

test.each([
  // plain, odd ports, credentials, fragments
  'http://example.com/',
  'ftp://example.com/',
  'https://example.com:22/',
  'https://example.com:25/',
  'https://example.com:5432/',
  'https://example.com:6379/',
  'https://user@example.com/',
  'https://user:secret@example.com/',
  'https://example.com/#x',
  'https://example.com/#',
  '//example.com',
  'example.com',
  'javascript:alert(1)',
  'file:///etc/passwd',
  'https://',
  '',
  // names of this machine and this network
  'https://localhost/',
  'https://localhost./',
  'https://LOCALHOST/',
  'https://a.localhost/',
  'https://printer/',
  'https://router.lan/',
  'https://db.internal/',
  'https://nas.local/',
  'https://x.home.arpa/',
  'http://127.0.0.1:3001/',
  'http://127.0.0.2:3000/',
  // loopback in every spelling
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://017700000001/',
  'https://127。0。0。1/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[2002:7f00:1::]/',
  // special ranges
  'https://0.0.0.0/',
  'https://10.0.0.1/',
  'https://100.64.0.1/',
  'https://169.254.169.254/',
  'https://172.16.0.1/',
  'https://172.31.255.255/',
  'https://192.0.0.1/',
  'https://192.0.2.1/',
  'https://192.88.99.1/',
  'https://192.168.1.1/',
  'https://198.18.0.1/',
  'https://198.51.100.1/',
  'https://203.0.113.1/',
  'https://224.0.0.1/',
  'https://240.0.0.1/',
  'https://255.255.255.255/',
  'https://[::]/',
  'https://[100::1]/',
  'https://[2001:db8::1]/',
  'https://[2001::1]/',
  'https://[fc00::1]/',
  'https://[fd12::1]/',
  'https://[fe80::1]/',
  'https://[ff02::1]/',
  'https://[::127.0.0.1]/',
])('%s must not be called', (address) => {
  expect(explainCallback(policy, address)).toEqual(expect.any(String))
})

test.each([
  [['93.184.216.34'], true],
  [['93.184.216.34', '2606:2800:220:1::1'], true],
  [['93.184.216.34', '10.0.0.1'], false],
  [['93.184.216.34', '::1'], false],
  [['::ffff:10.0.0.1'], false],
  [[], true],
])('a name that resolves to %j is accepted: %s', async (addresses, accepted) => {
  const resolving = { ...policy, resolve: async () => addresses }
  expect(await checkResolution(resolving, new URL('https://example.com/'))).toBe(accepted)
})
