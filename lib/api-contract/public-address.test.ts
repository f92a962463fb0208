import { expect, it } from 'vitest'
import { hasPrivateHost, isPublicAddress } from './callback-address'

it.each(['93.184.216.34', '2606:2800:21f:cb07::1', '2a00:1450:4001:800::200e'])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

it.each([
  '127.0.0.1',
  '10.0.0.1',
  '100.64.0.1',
  '169.254.169.254',
  '0.0.0.0',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  'fc00::1',
  'fe80::1',
  'ff02::1',
  // IPv4 embedded in IPv6: compatible, mapped, translated, 6to4, Teredo.
  '::7f00:1',
  '::127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:7f00:1:0',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '2001:0:7f00:1::',
  // Never allocated.
  '4000::1',
  'example.com',
  '',
])('%j is not', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

it.each([
  ['https://example.com/', false],
  ['https://example.com./', false],
  ['https://[2606:2800:21f:cb07::1]/', false],
  ['https://[::7f00:1]/', true],
  ['https://2130706433/', true],
  ['https://a.localhost./', true],
  ['https://printer/', true],
  ['https://x.home.arpa/', true],
])('whether %s leads into a private network: %s', (address, expected) => {
  expect(hasPrivateHost(new URL(address))).toBe(expected)
})
