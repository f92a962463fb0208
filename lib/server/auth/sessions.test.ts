import { expect, it } from 'vitest'
import { describeBrowser } from './sessions'

it.each([
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
    'Chrome 156 (Linux)',
  ],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:141.0) Gecko/20100101 Firefox/141.0', 'Firefox 141 (Windows)'],
  ['curl/8 (Linux)', 'Linux'],
  ['curl/8', null],
])('names a browser and its system in no language: %s', (userAgent, name) => {
  expect(describeBrowser(userAgent)).toBe(name)
})
