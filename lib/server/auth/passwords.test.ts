import { hash, parseOptions } from '@node-rs/argon2'
import { describe, expect, it } from 'vitest'
import { explainPassword, hashPassword, isOutdatedHash, DUMMY_HASH, verifyPassword } from './passwords'

const email = 'ann@example.com'
const ann = { email, merchants: ['Nordkyst Forsyning A/S'], replaced: null }

describe('choosing a password', () => {
  it.each([
    'moss-covered lantern',
    'Tr0ub4dor&9',
    'kq7vmt2xw',
    'xK9mQ2vT',
    'kq7vmt2x',
    'hR4zW8pd',
    'xK9mQ2v!',
    'wjxbzrtkm',
    'correct horse battery staple',
    'blue lamp river nine',
    'rafo-timu-keda-bosi',
    'пароль длинный',
    '🙂🐙🌵🚲🍋🎻🧭🦉🐳',
    'moss-covered lantern æ '.repeat(6).slice(0, 128),
    ' leading and trailing ',
    `${'a'.repeat(100)} moss-covered lantern`,
  ])('accepts %o', async (password) => {
    expect(await explainPassword(password, ann)).toBe(null)
  })

  it.each([
    ['short', 'seven77', /at least 8/u],
    ['seven characters of four bytes', '🙂'.repeat(7), /at least 8/u],
    ['a letter and its seven marks, composed', 'e\u0301'.repeat(4), /at least 8/u],
    ['long', 'a'.repeat(129), /at most 128/u],
    ['a megabyte', 'a'.repeat(1_000_000), /at most 128/u],
    ['not well-formed', `longenough\ud800`, /well-formed/u],
    ['common', 'password', /too common/u],
    ['common, in other case', 'Password123', /too common/u],
    ['common, in wide letters', 'ｐａｓｓｗｏｒｄ', /too common/u],
    ['common', 'qwertyuiop', /too common/u],
    ['the e-mail address', 'ANN@example.com', /email address/u],
  ])('refuses what is %s', async (_, password, reason) => {
    expect(await explainPassword(password, ann)).toMatch(reason)
  })

  it.each([
    '00000000',
    '88888888',
    '12341234',
    '87654321',
    '123123123',
    'aaaaaaaa',
    'abcdefgh',
    'Passw0rd!',
    'P@ssw0rd1',
    'admin@123',
    'debitdesk1',
    'Debitdesk-2026',
    'annabella1',
    'Annabella!!',
    'sunflower1',
    'sunflowers.example',
    '        ',
    '🙂'.repeat(8),
    'æ'.repeat(128),
    'p@$$w0rd1!'.repeat(12),
  ])('refuses %o, which is easy to guess', async (password) => {
    expect(await explainPassword(password, { ...ann, email: 'annabella@sunflowers.example' })).toMatch(
      /too common|easy to guess/u,
    )
  })

  it.each([
    'Velkommen1',
    'Kodeord123',
    'Danmark123!',
    'Sommer2026!',
    'København2026',
    'Kobenhavn1!',
    'Brøndby1964!',
    'Sørensen1985',
    'Fredag2026!',
    'Faktura2026!',
    'Willkommen1!',
    'Passwort123!',
    'Deutschland1!',
    'Geheim2026!!',
    'Lösenord123!',
    'Sommar2026!',
    'Stockholm123',
    'Valkommen1!',
  ])('refuses %o, a common word of Danish, German or Swedish with little else', async (password) => {
    expect(await explainPassword(password, ann)).toMatch(/too common|easy to guess: make it longer/u)
  })

  it.each([
    ['Nordkyst2026!', 'nordkyst'],
    ['nordkyst-forsyning-2026', 'forsyning'],
    ['N0rdkyst-NORDKYST-1', 'nordkyst'],
    ['Havkraft2026!', 'havkraft'],
    ['havkraft.example!1', 'havkraft'],
    ['Birgitte.1974!', 'birgitte'],
    ['MyDebitdesk2026!', 'debitdesk'],
  ])('refuses %o, built on a name that others know, and names it', async (password, name) => {
    const birgitte = { ...ann, email: 'birgitte@havkraft.example' }
    expect(await explainPassword(password, birgitte)).toMatch(new RegExp(`others know “[^”]*${name}`, 'u'))
  })

  it('lets a known name stand beside what is hard enough by itself', async () => {
    expect(await explainPassword('Nordkyst moss-covered lantern', ann)).toBe(null)
  })

  it('lets others be served while a long one is judged', async () => {
    const password = `${'@4'.repeat(63)}x`
    expect(await explainPassword(password, ann)).toMatch(/easy to guess/u)
    let turns = 0
    const count = () => {
      turns += 1
      turn = setImmediate(count)
    }
    let turn = setImmediate(count)
    await explainPassword(password, ann)
    clearImmediate(turn)
    // At least one for each 16 characters.
    expect(turns).toBeGreaterThanOrEqual(8)
  })

  it('refuses the one that it is to replace', async () => {
    const replaced = await hashPassword('moss-covered lantern')
    expect(await explainPassword('moss-covered lantern', { ...ann, replaced })).toMatch(/your current password/u)
    expect(await explainPassword('moss-covered lanterns!', { ...ann, replaced })).toBe(null)
  })

  it('refuses the part of the address before the @', async () => {
    expect(await explainPassword('annabella', { ...ann, email: 'annabella@example.com' })).toMatch(/email address/u)
  })
})

describe('a stored password', () => {
  it('is argon2id with at least 19 MiB, two passes and one lane', async () => {
    const stored = await hashPassword('moss-covered lantern')
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/u)
    expect(isOutdatedHash(stored)).toBe(false)
    expect(await hashPassword('moss-covered lantern')).not.toBe(stored)
  })

  it('matches itself to the last of 128 characters, and nothing else', async () => {
    const password = `${' x'.repeat(63)}ab`
    const stored = await hashPassword(password)
    expect(await verifyPassword(stored, password)).toBe(true)
    expect(await verifyPassword(stored, `${password.slice(0, -1)}c`)).toBe(false)
    expect(await verifyPassword(stored, password.trimStart())).toBe(false)
    expect(await verifyPassword(stored, password.toUpperCase())).toBe(false)
  })

  it('is the same from a keyboard that composes letters otherwise', async () => {
    expect(await verifyPassword(await hashPassword('Nørgård é'), 'Nørgård e\u0301')).toBe(true)
  })

  it('is outdated when the parameters have moved on', async () => {
    expect(isOutdatedHash(await hash('x', { memoryCost: 8_192, timeCost: 2, parallelism: 1 }))).toBe(true)
  })
})

describe('an account that is not there', () => {
  it('costs the same work and never matches', async () => {
    expect(await verifyPassword(null, 'moss-covered lantern')).toBe(false)
    const real = parseOptions(await hashPassword('moss-covered lantern'))
    expect(parseOptions(DUMMY_HASH)).toEqual(real)
  })
})
