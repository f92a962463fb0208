import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ScriptDeferral } from './defer-scripts'

const inHead = (name: string) => `<script src="/_next/static/chunks/${name}.js" async="" nonce="n+/="></script>`
const inBody = (name: string) => `<script src="/_next/static/chunks/${name}.js" nonce="n+/=" async=""></script>`
const old = '<script src="/_next/static/chunks/old.js" noModule="" nonce="n+/="></script>'
const inline = '<script nonce="n+/=">if (1<2) document.title = "</head" + "er>"</script>'

const waits = '<link rel="expect" href="#rows" blocking="render"/>'

const begin = () => new ScriptDeferral('n+/=')

function pass(...parts: string[]): string {
  const deferral = begin()
  const sent = parts.map((part) => deferral.pass(Buffer.from(part)))
  return Buffer.concat([...sent, deferral.end()]).toString()
}

/** The addresses that the page asks for after its first frame, and the page without that script. */
function read(html: string): { asked: string[]; rest: string } {
  const found = /<script nonce="n\+\/=">\{let sources=(\[.*?\])\n[^]*?<\/script>/u.exec(html)
  return { asked: found?.[1] ? JSON.parse(found[1]) : [], rest: html.replace(found?.[0] ?? '', '') }
}

const page = `<html><head>${inHead('a')}${waits}<style>b{}</style>${inHead('~-b_1.2')}${old}</head><body>${inline}<p>Ærø</p>${inBody('c')}<script nonce="n+/=">data</script>${inBody('late')}</body></html>`

describe('ScriptDeferral', () => {
  it('asks for the scripts of the head and the one behind the body where that one stood', () => {
    const { asked, rest } = read(pass(page))
    expect(asked).toEqual(['a', '~-b_1.2', 'c'].map((name) => `/_next/static/chunks/${name}.js`))
    expect(rest).toBe(
      `<html><head>${waits}<style>b{}</style>${old}</head><body>${inline}<p>Ærø</p><script nonce="n+/=">data</script>${inBody('late')}</body></html>`,
    )
    expect(pass(page).indexOf('Ærø')).toBeLessThan(pass(page).indexOf('requestAnimationFrame'))
  })

  it('leaves scripts that come later as they are: what is streamed needs them at once', () => {
    expect(pass(page)).toContain(`data</script>${inBody('late')}`)
  })

  it('makes the same page of however many parts', () => {
    const bytes = Buffer.from(page)
    const whole = pass(page)
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 12 }), (given) => {
        const cuts = [0, ...given.toSorted((one, other) => one - other), bytes.length]
        const deferral = begin()
        const sent = cuts.slice(1).map((cut, at) => deferral.pass(bytes.subarray(cuts[at], cut)))
        expect(Buffer.concat([...sent, deferral.end()]).toString()).toBe(whole)
      }),
      { numRuns: 500 },
    )
  })

  it('holds back nothing that cannot be the beginning of a script', () => {
    const deferral = begin()
    expect(deferral.pass(Buffer.from(`<head>${waits}</head><p>1 < 2</p><scr`)).toString()).toBe(
      `<head>${waits}</head><p>1 < 2</p>`,
    )
    expect(deferral.pass(Buffer.from('ibble>')).toString()).toBe('<scribble>')
  })

  it('asks at the end of a page that broke off before the script behind its body', () => {
    const { asked, rest } = read(pass(`<head>${inHead('a')}${waits}</head><body>half`))
    expect(asked).toEqual(['/_next/static/chunks/a.js'])
    expect(rest).toBe(`<head>${waits}</head><body>half`)
  })

  it('leaves a page without rows to wait for, or without scripts of the build, and the scripts of others alone', () => {
    const other = `<head>${waits}<script src="https://elsewhere.example/_next/static/chunks/a.js" async=""></script></head>`
    const strange = `<head>${waits}<script src="/_next/static/chunks/a.js" onload="x()" async="" nonce="n"></script></head><body>`
    const waiting = `<head>${waits}<script src="/_next/static/chunks/a.js" nonce="n+/="></script></head><body>`
    const form = page.replace(waits, '')
    const broken = '<script src="/_next/static/chunks/a'
    for (const html of [form, '', 'plain', '<head></head><p>', other, strange, waiting, broken]) {
      expect(pass(html)).toBe(html)
    }
  })

  it('leaves a script where it is that the policy of the page refuses, and asks for the others all the same', () => {
    const strange = ['../../../api/desk/x', 'a/../../b', 'mine.js'].map(
      (path) => `<script src="/_next/static/chunks/${path}" async="" nonce="another"></script>`,
    )
    const upwards = strange.map((script) => script.replace('another', 'n+/=')).slice(0, 2)
    const kept = [...strange, ...upwards].join('')
    const { asked, rest } = read(pass(`<head>${waits}${inHead('a')}${kept}</head><body>${strange[2]}${inBody('c')}`))
    expect(asked).toEqual(['/_next/static/chunks/a.js', '/_next/static/chunks/c.js'])
    expect(rest).toBe(`<head>${waits}${kept}</head><body>${strange[2]}`)
  })

  it('does not wait without bound for the end of a head', () => {
    const deferral = begin()
    const part = Buffer.from(`<head>${inHead('a')}${waits}`.padEnd(100_000))
    const sent = Array.from({ length: 4 }, () => deferral.pass(part))
    expect(sent.map(({ length }) => length)).toEqual([0, 0, 300_000, 100_000])
    expect(deferral.end()).toHaveLength(0)
  })

  it('ends once', () => {
    const deferral = begin()
    deferral.pass(Buffer.from('<head>half'))
    expect(deferral.end().toString()).toBe('<head>half')
    expect(deferral.end()).toHaveLength(0)
  })
})
