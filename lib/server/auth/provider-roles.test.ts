import { expect, it } from 'vitest'
import { parseSettings } from '../runtime/settings'
import { provesFactor, readRoles } from './openid-provider'

it.each<[what: string, claims: Record<string, unknown>, path: string, roles: Record<string, string>]>([
  ['a list', { roles: ['support', 'cook'] }, 'roles', { default: 'support' }],
  ['one word', { roles: 'viewer' }, 'roles', { default: 'viewer' }],
  ['words in one text', { groups: 'cook, support admin' }, 'groups', { default: 'admin' }],
  ['a nested claim', { realm_access: { roles: ['admin'] } }, 'realm_access.roles', { default: 'admin' }],
  [
    'a claim whose name holds dots',
    { 'https://desk.example/roles': ['viewer'] },
    'https://desk.example/roles',
    { default: 'viewer' },
  ],
  ['the strongest of several', { roles: ['viewer', 'admin', 'support'] }, 'roles', { default: 'admin' }],
  [
    'roles at several merchants',
    { roles: ['viewer', 'admin:m-1', 'support:m-1'] },
    'roles',
    { default: 'viewer', 'm-1': 'admin' },
  ],
  ['nothing', {}, 'roles', {}],
  ['other words and letters', { roles: ['Admin', 'administrator', 'superadmin'] }, 'roles', {}],
  ['what is no text', { roles: [{ name: 'admin' }, 1, null] }, 'roles', {}],
  ['an inherited name', {}, 'constructor.name', {}],
])('reads %s', (_, claims, path, roles) => {
  expect(Object.fromEntries(readRoles(claims, path))).toEqual(roles)
})

it.each<[accepted: string[], claims: Record<string, unknown>, isProven: boolean]>([
  [[], { amr: ['pwd', 'mfa'], acr: 'mfa' }, false],
  [['mfa', 'phr'], { amr: ['pwd', 'mfa'] }, true],
  [['mfa', 'phr'], { acr: 'phr' }, true],
  [['mfa'], { amr: ['pwd'] }, false],
  [['mfa'], { amr: ['MFA'], acr: 'Mfa' }, false],
  [['mfa'], { amr: 'mfa' }, false],
  [['mfa'], { amr: [['mfa']], acr: null }, false],
  [['mfa'], {}, false],
])('where %j counts as a second factor, %j proves one: %s', (accepted, claims, isProven) => {
  expect(provesFactor(claims, accepted)).toBe(isProven)
})

it('passwords may be off only beside a provider', () => {
  expect(() => parseSettings({ PASSWORDS: 'off' })).toThrow('PASSWORDS may be off only beside OIDC_ISSUER')
  expect(parseSettings({ OIDC_FACTOR: 'mfa, phr' }).OIDC_FACTOR).toEqual(['mfa', 'phr'])
})
