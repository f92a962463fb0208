import * as z from 'zod'

type JsonSchema = Record<string, unknown>

/**
 * A zod schema as JSON Schema 2020-12 of what is written (before transforms). Formats stand without the
 * pattern that zod adds to each, and free-form values without a recursive definition: any JSON is meant.
 */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const {
    $schema: _dialect,
    $defs: _recursive,
    ...written
  } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema }) => {
      if (jsonSchema.format) delete jsonSchema.pattern
      if (jsonSchema.propertyNames) {
        delete jsonSchema.propertyNames
        const values = jsonSchema.additionalProperties
        if (typeof values === 'object' && values.$ref) jsonSchema.additionalProperties = true
      }
    },
  })
  return written
}

/** A reference to a schema of the document. */
export function refTo(name: string): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` }
}

/** The pagination container (docs/upstream-api.md, section 2) around a record. */
export function pageOf(name: string): JsonSchema {
  return {
    type: 'object',
    required: ['results', 'nextOffset', 'hasMore'],
    properties: {
      results: { type: 'array', items: refTo(name), maxItems: 100 },
      nextOffset: { type: ['string', 'null'], description: 'Opaque: the `after` of the next page.' },
      hasMore: { type: 'boolean' },
    },
  }
}
