/** Beside spaces and control characters, those that take no room or, as the empty Braille pattern, show nothing. */
const visible = /[^\s\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/u

/** Whether a text shows anything: for what people must fill in. */
export function hasVisibleText(text: string): boolean {
  return visible.test(text)
}

/** The same as JSON Schema. */
export const notBlank = { minLength: 1, pattern: visible.source }
