/** What the OpenAPI document says of a text that must hold more than white space: zod checks it where JSON Schema cannot look. */
export const notBlank = { pattern: String.raw`\S` }
