import { expect, it } from 'vitest'
import { explainAddress } from './callback-address'

const own = 'http://127.0.0.1:3000/hooks/secret'
const none = { known: [], own }

it.each([
  'https://example.com/hooks',
  'https://example.com:8443/a?b=c',
  'https://93.184.216.34/',
  'https://[2606:2800:21f:cb07::1]/',
  own,
])('takes %s', (address) => {
  expect(explainAddress(address, none)).toBeNull()
})

it.each([
  ['', /empty/u],
  ['example.com', /such as/u],
  ['javascript:alert(1)', /https/u],
  ['http:/foo', /such as/u],
  ['https:example.com', /such as/u],
  ['https:///example.com', /such as/u],
  ['ftp://example.com', /https/u],
  ['http://example.com/', /https/u],
  ['https://user:secret@example.com/', /password/u],
  ['https://example.com/#x', /fragment/u],
  ['https://exa\tmple.com/', /invisible/u],
  ['https://example.com/\u202e', /invisible/u],
  ['https://localhost/', /private/u],
  ['https://a.localhost./', /private/u],
  ['https://127.1/', /private/u],
  ['https://2130706433/', /private/u],
  ['https://0x7f.1/', /private/u],
  ['https://10.0.0.1/', /private/u],
  ['https://169.254.169.254/', /private/u],
  ['https://[::1]/', /private/u],
  ['https://[::127.0.0.1]/', /private/u],
  ['https://[::ffff:7f00:1:0]/', /private/u],
  ['https://[4000::1]/', /private/u],
  ['https://[::ffff:127.0.0.1]/', /private/u],
  ['https://[fc00::1]/', /private/u],
  ['https://printer/', /private/u],
  ['http://127.0.0.1:3000/hooks/other', /private/u],
  [`https://example.com/${'a'.repeat(2048)}`, /2,048/u],
])('refuses %s', (address, reason) => {
  expect(explainAddress(address, none)).toMatch(reason)
})

it('finds an address that is subscribed already, however it is spelled', () => {
  const known = ['https://Example.com/hooks']
  expect(explainAddress('https://example.com:443/hooks', { known, own })).toMatch(/already/u)
  expect(explainAddress('https://example.com/Hooks', { known, own })).toBeNull()
})
