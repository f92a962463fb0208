import { describe, expect, it } from 'vitest'
import { parseSettings, SettingsError } from './settings'

/** The lines printed by a start with these settings. */
function explain(environment: Record<string, string>): readonly string[] {
  try {
    parseSettings(environment)
    return []
  } catch (error) {
    if (error instanceof SettingsError) return error.problems
    throw error
  }
}

const demo = JSON.stringify([{ role: 'viewer', email: 'viewer@debitdesk.example', password: 'rafo-timu-keda' }])
const sound = 'a secret of the settings that is long enough'

const mail = {
  SMTP_URL: 'smtps://user:a%40b@mail.example.com',
  MAIL_FROM: 'Debitdesk <desk@example.com>',
}
const smtpRule = 'must be such as smtps://user:password@mail.example.com:465'
const senderRule = 'must be such as Debitdesk <debitdesk@example.com>'

describe('the settings', () => {
  it('have a default for everything', () => {
    expect(parseSettings({})).toMatchObject({
      UPSTREAM_AUTH: 'basic',
      UPSTREAM_CANCELLABLE: ['pending'],
      UPSTREAM_CANCELLED: ['cancelled'],
      UPSTREAM_FINAL: ['settled', 'rejected', 'chargeback'],
      CANCEL_GRACE: 15_000,
      SCHEME_ZONE: 'Europe/Copenhagen',
      PORT: 3000,
      SERVICE_PORT: 4010,
      SEED_PAYMENTS: 2_000,
    })
  })

  it('name a mail server, who signs in there, and a sender', () => {
    expect(parseSettings(mail)).toMatchObject({
      SMTP_URL: { host: 'mail.example.com', port: 465, secure: true, auth: { user: 'user', pass: 'a@b' } },
      MAIL_FROM: { name: 'Debitdesk', address: 'desk@example.com' },
    })
    expect(parseSettings({ ...mail, SMTP_URL: 'smtp://[::1]:2525', MAIL_FROM: 'desk@example.com' })).toMatchObject({
      SMTP_URL: { host: '::1', port: 2525, secure: false, auth: null },
      MAIL_FROM: { name: '', address: 'desk@example.com' },
    })
  })

  it('count as unset when empty', () => {
    expect(parseSettings({ UPSTREAM_URL: '', PORT: ' ', NEXTAUTH_SECRET: '' })).toEqual(parseSettings({}))
  })

  it('take none for an answer to which proxies stand before the desk, and ask only where one must', () => {
    for (const TRUSTED_PROXIES of ['none', '0'])
      expect(parseSettings({ NEXTAUTH_URL: 'https://desk.example', TRUSTED_PROXIES }).TRUSTED_PROXIES).toEqual({
        hops: 0,
      })
    for (const NEXTAUTH_URL of ['https://127.0.0.1:8443', 'https://localhost', 'http://desk.example'])
      expect(parseSettings({ NEXTAUTH_URL }).TRUSTED_PROXIES).toEqual({ hops: 0 })
  })

  it.each([
    ['15', 15_000],
    ['15s', 15_000],
    ['15 s', 15_000],
    ['1500ms', 1_500],
    ['2m', 120_000],
    ['0.5', 500],
  ])('read %s as a duration', (given, milliseconds) => {
    expect(parseSettings({ CANCEL_GRACE: given }).CANCEL_GRACE).toBe(milliseconds)
  })

  it.each([
    'postgres://desk:%2F%23@db:5432/desk?sslmode=verify-full',
    'postgresql://desk@/desk?host=/run/postgresql',
    'Postgres://db/desk?user=desk@shop',
  ])('take %s for an address of Postgres', (address) =>
    expect(parseSettings({ DATABASE_URL: address }).DATABASE_URL).toBe(address),
  )

  it.each<[Record<string, string>, string]>([
    [{ PORT: 'three' }, 'PORT must be a whole number'],
    [{ ...mail, SMTP_URL: 'http://mail.example.com' }, `SMTP_URL ${smtpRule}`],
    [{ ...mail, SMTP_URL: 'smtp://user@mail.example.com' }, `SMTP_URL ${smtpRule}`],
    [{ ...mail, SMTP_URL: 'smtps://user:50%@mail.example.com' }, `SMTP_URL ${smtpRule}`],
    [{ ...mail, SMTP_URL: 'smtps://mail.example.com/?secret=1' }, `SMTP_URL ${smtpRule}`],
    [{ ...mail, MAIL_FROM: 'Debitdesk' }, `MAIL_FROM ${senderRule}`],
    [{ ...mail, MAIL_FROM: 'Desk\r\nBcc: all@example.com <desk@example.com>' }, `MAIL_FROM ${senderRule}`],
    [{ ...mail, MAIL_FROM: '' }, 'MAIL_FROM is needed to send mail'],
    [{ MAIL_FROM: mail.MAIL_FROM }, 'SMTP_URL is needed to send mail'],
    [{ PORT: '0' }, 'PORT must be from 1 to 65535'],
    [{ KEEP_ALIVE: '0' }, 'KEEP_ALIVE must be from 1 s to 60 m'],
    [{ KEEP_ALIVE: '61m' }, 'KEEP_ALIVE must be from 1 s to 60 m'],
    [{ PORT: '70000' }, 'PORT must be from 1 to 65535'],
    [{ SERVICE_PORT: '1.5' }, 'SERVICE_PORT must be a whole number'],
    [{ UPSTREAM_URL: 'ftp://example.test', UPSTREAM_AUTH: 'none' }, 'UPSTREAM_URL must be an http or https address'],
    [{ UPSTREAM_URL: 'https://service.example' }, 'UPSTREAM_TOKEN is needed for UPSTREAM_AUTH=basic'],
    [{ UPSTREAM_AUTH: 'magic' }, 'UPSTREAM_AUTH must be one of basic, bearer'],
    [
      { UPSTREAM_AUTH: 'session', UPSTREAM_URL: 'https://service.example' },
      'OIDC_ISSUER is needed for UPSTREAM_AUTH=session',
    ],
    [
      { OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'desk' },
      'OIDC_CLIENT_SECRET is needed beside the other OIDC settings',
    ],
    [
      { OIDC_ISSUER: 'http://id.example', OIDC_CLIENT_ID: 'desk', OIDC_CLIENT_SECRET: 'secret' },
      'OIDC_ISSUER must begin with https://',
    ],
    [{ CANCEL_GRACE: 'soon' }, 'CANCEL_GRACE must be a duration'],
    [{ SCHEME_ZONE: 'Mars/Olympus' }, 'SCHEME_ZONE must be an IANA time zone'],
    [{ NEXTAUTH_URL: 'desk.example' }, 'NEXTAUTH_URL must be an http or https address'],
    [
      { NEXTAUTH_URL: 'https://desk.example/base', TRUSTED_PROXIES: '1' },
      'NEXTAUTH_URL must be the address of the desk alone',
    ],
    [
      { NEXTAUTH_URL: 'https://a:b@desk.example', TRUSTED_PROXIES: '1' },
      'NEXTAUTH_URL must be the address of the desk alone',
    ],
    [{ NEXTAUTH_SECRET: 'a'.repeat(40) }, 'NEXTAUTH_SECRET must be random'],
    [{ NEXTAUTH_SECRET: 'change-me-to-something-random-and-long' }, 'NEXTAUTH_SECRET must be random'],
    [
      { NEXTAUTH_URL: 'https://desk.example' },
      'TRUSTED_PROXIES is needed beside a public https NEXTAUTH_URL: the number of proxies before the desk, their addresses, or none',
    ],
    [{ TRUSTED_PROXIES: 'nginx' }, 'TRUSTED_PROXIES must be a number of proxies, or their addresses'],
    [{ NEXTAUTH_SECRET: 'short' }, 'NEXTAUTH_SECRET must have at least 32 characters'],
    [{ NEXTAUTH_SECRET_PREVIOUS: 'short' }, 'NEXTAUTH_SECRET_PREVIOUS must have at least 32 characters'],
    [
      { NEXTAUTH_SECRET: sound, NEXTAUTH_SECRET_PREVIOUS: sound },
      'NEXTAUTH_SECRET_PREVIOUS must be another than NEXTAUTH_SECRET',
    ],
    [
      { NEXTAUTH_SECRET: sound, ACTIVITY_KEY: sound },
      'ACTIVITY_KEY must be another than NEXTAUTH_SECRET and the one before it',
    ],
    [
      { NEXTAUTH_SECRET: `${sound}!`, NEXTAUTH_SECRET_PREVIOUS: sound, ACTIVITY_KEY: sound },
      'ACTIVITY_KEY must be another than NEXTAUTH_SECRET and the one before it',
    ],
    ...['https://me:key@list.example/range', 'https://list.example/range?key=x', 'https://list.example/range#x'].map(
      (address): [Record<string, string>, string] => [
        { BREACHED_PASSWORDS_URL: address },
        'BREACHED_PASSWORDS_URL must be the address alone, without a name, a password, a query or a fragment',
      ],
    ),
    ...['mysql://desk@127.0.0.1/desk', 'postgres://desk:can/ary@db/desk', 'postgres://desk:1#2@db/desk'].map(
      (address): [Record<string, string>, string] => [
        { DATABASE_URL: address },
        'DATABASE_URL must be such as postgres:',
      ],
    ),
    [{ DATABASE_URL: 'postgres://desk:1?2@db/desk' }, 'DATABASE_URL must be such as postgres:'],
    [{ SERVICE_DATABASE_URL: 'postgres://desk:1/2@db/desk' }, 'SERVICE_DATABASE_URL must be such as postgres:'],
    [
      { ACTIVITY_HEADS_URL: 'https://desk:canary@audit.example/heads' },
      'ACTIVITY_HEADS_URL must not hold a name or a password',
    ],
    [{ DESK_ADMIN_EMAIL: 'ann@example.com' }, 'DESK_ADMIN_PASSWORD is needed'],
    [{ DESK_ADMIN_PASSWORD: 'moss-covered lantern' }, 'DESK_ADMIN_EMAIL is needed'],
    [{ SEED_PAYMENTS: '-1' }, 'SEED_PAYMENTS must not be negative'],
    [{ DEMO_SIGN_INS: 'yes' }, 'DEMO_SIGN_INS must be a JSON list'],
    [{ DEMO_SIGN_INS: '[]' }, 'DEMO_SIGN_INS must be a JSON list'],
    [{ DEMO_SIGN_INS: demo.replace('viewer"', 'owner"') }, 'DEMO_SIGN_INS must be a JSON list'],
  ])('refuse %o', (environment, line) => {
    const lines = explain(environment)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain(line)
  })

  it('are all named when several are wrong, and none of their values is told', () => {
    const lines = explain({
      NEXTAUTH_SECRET: 'canary-secret',
      SERVICE_TOKEN: 'canary-token',
      UPSTREAM_URL: 'canary url',
      UPSTREAM_AUTH: 'none',
    })
    expect(lines).toHaveLength(3)
    expect(lines.join()).not.toContain('canary')
  })
})

describe('demo sign-ins', () => {
  it('are read beside the embedded service on loopback', () => {
    const [signIn] = parseSettings({ DEMO_SIGN_INS: demo, NEXTAUTH_URL: 'http://127.0.0.1:3000' }).DEMO_SIGN_INS ?? []
    expect(signIn).toEqual({ role: 'viewer', email: 'viewer@debitdesk.example', password: 'rafo-timu-keda' })
  })

  it('are refused beside another service', () => {
    const lines = explain({ DEMO_SIGN_INS: demo, UPSTREAM_URL: 'https://service.example', UPSTREAM_TOKEN: 'x' })
    expect(lines).toEqual(['DEMO_SIGN_INS is for the embedded service alone: unset it'])
  })

  it('are refused on a desk that others can reach', () => {
    const lines = explain({ DEMO_SIGN_INS: demo, NEXTAUTH_URL: 'https://127.0.0.1.desk.example', TRUSTED_PROXIES: '1' })
    expect(lines).toEqual(['DEMO_SIGN_INS is for a desk on this machine alone: unset it'])
  })
})
