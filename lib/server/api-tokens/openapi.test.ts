import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, it } from 'vitest'
import { loadRouteFiles } from '../testing/route-files'
import { makeScriptsOpenapi } from './openapi'

const document = makeScriptsOpenapi()
const described = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.keys(item).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/gu, '{}')}`),
)

it('is valid OpenAPI 3.1 with all references resolved', async () => {
  const validator = new Validator()
  expect(await validator.validate(structuredClone(document))).toEqual({ valid: true })
  expect(() => validator.resolveRefs()).not.toThrow()
})

it('describes every route that accepts tokens, with its permission, and no other', async () => {
  const declared = (await loadRouteFiles()).flatMap(({ path, exported }) =>
    Object.entries(exported).flatMap(([method, { declaration }]) =>
      method !== 'HEAD' && declaration.kind === 'permission' && declaration.acceptsApiTokens
        ? [{ name: `${method} ${path.replaceAll(/\[\w+\]/gu, '{}')}`, permission: declaration.permission }]
        : [],
    ),
  )
  expect(described.toSorted()).toEqual(declared.map(({ name }) => name).toSorted())
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item))
  for (const { name, permission } of declared) {
    const operation = operations[described.indexOf(name)]
    expect([name, operation]).toEqual([
      name,
      expect.objectContaining({ description: `Needs the permission \`${permission}\`.` }),
    ])
  }
})

it('asks for a token everywhere, and says how one is refused', () => {
  expect([document.security, document.components.securitySchemes.token.scheme]).toEqual([[{ token: [] }], 'bearer'])
  for (const item of Object.values(document.paths))
    for (const operation of Object.values(item)) {
      expect(operation).not.toHaveProperty('security')
      expect(operation).toHaveProperty('responses.401')
      expect(operation).toHaveProperty('responses.403')
      expect(operation).toHaveProperty('responses.429.headers.Retry-After')
    }
})
