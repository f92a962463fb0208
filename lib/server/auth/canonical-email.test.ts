import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalEmail } from './users'

const same = [
  'ann@example.com',
  'Ann@Example.COM',
  '  ann@example.com\t',
  'ann＠example.com',
  'ａｎｎ@example.com',
  'ann@example.com.',
  'ann@ｅxample.com',
  'ann@example。com',
  'ann@exam\u00ADple.com',
]

const refused = [
  '',
  'ann',
  '@example.com',
  'ann@',
  'ann@localhost',
  'ann@@example.com',
  'ann@exa mple.com',
  'a\u200Dnn@example.com',
  'аnn@example.com',
  'anń@example.com',
  'İnn@example.com',
  'ann\u0000@example.com',
  'ann@example..com',
  'ann\ud800@example.com',
  '"a b"@example.com',
  'ann@example.com/evil',
  'ann@example.com?x',
  'ann@example.com#x',
  'ann@example.com\\x',
  'ann@example.com:25',
  'ann@example.com／evil',
  'ann@exa%6dple.com',
  'ann@exam\tple.com',
  'ann@1.1',
  'ann@0x7f.1',
  'ann@127.0.0.1',
  'ann@[127.0.0.1]',
  'ann@example.1',
  `${'a'.repeat(300)}@example.com`,
]

describe('the canonical form of an e-mail', () => {
  it.each(same)('is one for %s', (given) => {
    expect(canonicalEmail(given)).toBe('ann@example.com')
  })

  it.each(refused)('does not exist for %o', (given) => {
    expect(canonicalEmail(given)).toBeNull()
  })

  it('keeps an international domain in ASCII', () => {
    expect(canonicalEmail('ann@nørgaard.dk')).toBe('ann@xn--nrgaard-q1a.dk')
  })

  it('is stable: the form of a form is itself, in lower-case ASCII', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.emailAddress(),
          fc.string({ unit: 'grapheme' }).map((text) => `${text}@example.com`),
        ),
        (given) => {
          const form = canonicalEmail(given)
          if (form === null) return
          expect(canonicalEmail(form)).toBe(form)
          expect(form).toMatch(/^[!-~]+$/u)
          expect(form).toBe(form.toLowerCase())
        },
      ),
    )
  })
})
