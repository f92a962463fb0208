import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findPeer, groupPeer, parseTrustedProxies } from './peer-address'

const proxy = '10.0.0.5'
const forged = '203.0.113.9, 198.51.100.1'

describe('the setting', () => {
  it.each([
    ['1', { hops: 1 }],
    ['0', { hops: 0 }],
    ['10.0.0.5', { ranges: ['10.0.0.5'] }],
    ['10.0.0.0/8, ::1, fd00::/8', { ranges: ['10.0.0.0/8', '::1', 'fd00::/8'] }],
  ])('takes %s', (text, read) => {
    expect(parseTrustedProxies(text)).toEqual(read)
  })

  it.each(['', 'all', 'proxy.example', '10.0.0.0/33', '-1', '100', '10.0.0.5,'])('refuses %o', (text) => {
    expect(parseTrustedProxies(text)).toBeNull()
  })
})

describe('without a proxy', () => {
  it('whatever a client claims, the connection counts', () => {
    fc.assert(
      fc.property(fc.string(), (claim) => {
        expect(findPeer('192.0.2.1', claim, { hops: 0 })).toBe('192.0.2.1')
        expect(findPeer('192.0.2.1', claim, { ranges: [proxy] })).toBe('192.0.2.1')
      }),
    )
  })
})

describe('behind proxies', () => {
  it.each<[string, string | undefined, string]>([
    [proxy, '192.0.2.7', '192.0.2.7'],
    [proxy, `${forged}, 192.0.2.7`, '192.0.2.7'],
    [proxy, `${forged}, 192.0.2.7, 10.0.0.6`, '192.0.2.7'],
    [`::ffff:${proxy}`, ' 192.0.2.7 ', '192.0.2.7'],
    [proxy, '[2001:db8::7]:4711', '2001:db8::7'],
    [proxy, '192.0.2.7:4711', '192.0.2.7'],
    // A zone names a local network interface and is not part of an address.
    [proxy, 'fe80::7%eth0.100', 'fe80::7'],
    [proxy, 'fe80::7%enp0s3-1, 10.0.0.6', 'fe80::7'],
    [proxy, undefined, proxy],
    [proxy, 'unknown', proxy],
    [proxy, 'unknown, 10.0.0.6', '10.0.0.6'],
    ['192.0.2.66', '192.0.2.7', '192.0.2.66'],
  ])('of known addresses: from %s, naming %s, it is %s', (socket, named, peer) => {
    expect(findPeer(socket, named, { ranges: ['10.0.0.0/8'] })).toBe(peer)
  })

  it.each<[number, string | undefined, string]>([
    [1, '192.0.2.7', '192.0.2.7'],
    [1, `${forged}, 192.0.2.7`, '192.0.2.7'],
    [2, `${forged}, 192.0.2.7, 10.0.0.6`, '192.0.2.7'],
    [2, '192.0.2.7', proxy],
    [1, undefined, proxy],
    [1, '', proxy],
  ])('of which there are %i, naming %s, it is %s', (hops, named, peer) => {
    expect(findPeer(proxy, named, { hops })).toBe(peer)
  })
})

it('counts the addresses of one IPv6 network together', () => {
  expect(groupPeer('2001:db8:1:2:3:4:5:6')).toBe(groupPeer('2001:db8:1:2::1'))
  expect(groupPeer('2001:db8:1:3::1')).not.toBe(groupPeer('2001:db8:1:2::1'))
  expect(groupPeer('192.0.2.7')).toBe('192.0.2.7')
  expect(groupPeer('unknown')).toBe('unknown')
})
