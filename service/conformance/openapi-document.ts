import * as z from 'zod'

const schema = z.record(z.string(), z.unknown())
export type JsonSchema = z.output<typeof schema>

const content = z.record(z.string(), z.object({ schema }))
const operation = z.object({
  operationId: z.string(),
  security: z.array(z.unknown()).optional(),
  'x-filter-fields': z.record(z.string(), z.string()).optional(),
  parameters: z.array(z.object({ name: z.string(), in: z.enum(['path', 'query', 'header']), schema })),
  requestBody: z.object({ required: z.literal(true), content }).optional(),
  responses: z.record(
    z.string(),
    z.object({ headers: z.record(z.string(), z.unknown()).optional(), content: content.optional() }),
  ),
})

const document = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({ schemas: z.record(z.string(), schema) }),
})

/** An operation of the document with its method and path. */
export type Operation = z.output<typeof operation> & { method: string; path: string }

export type OpenDocument = {
  operations: Operation[]
  /** Resolves a reference to a schema of the document; returns anything else unchanged. */
  resolve: (schema: JsonSchema) => JsonSchema
  schemas: Record<string, JsonSchema>
}

/** Parses an OpenAPI document from its text alone, as a third party would. Throws if it lacks what the tests need. */
export function openDocument(text: string): OpenDocument {
  const { paths, components } = document.parse(JSON.parse(text))
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, one]) => ({ ...one, path, method: method.toUpperCase() })),
  )
  const resolve = (given: JsonSchema): JsonSchema => {
    if (typeof given.$ref !== 'string') return given
    const found = components.schemas[given.$ref.replace('#/components/schemas/', '')]
    if (!found) throw new Error(`${given.$ref} leads nowhere`)
    return found
  }
  return { operations, resolve, schemas: components.schemas }
}
