import { expect, it } from 'vitest'
import { agreementInput } from './agreements'
import { customer, customerChange, customerInput } from './customers'
import { merchantInput } from './merchants'
import { cancellationInput } from './payments'
import { hasVisibleText } from './visible-text'

const blank = ['', ' \u00A0\t', '\u200B', '\u200B \uFEFF\u2060', '\u202E', '\u115F\u3164', '\u2800', '\uFE0F', '\0']

it.each(blank)('%j shows nothing', (text) => {
  expect(hasVisibleText(text)).toBe(false)
})

it.each(['a', '\u202Ea', '👩‍👧', 'نور', '.', '\uE000', '\u200B1'])('%j shows something', (text) => {
  expect(hasVisibleText(text)).toBe(true)
})

it.each(blank)('%j is no name and no reason, but is read', (text) => {
  const message = 'must not be empty'
  const say = (read: { success: boolean; error?: { issues: { message: string }[] } }) => read.error?.issues[0]?.message
  expect(say(customerInput.safeParse({ name: text }))).toBe(message)
  expect(say(customerChange.safeParse({ name: text }))).toBe(message)
  expect(say(merchantInput.safeParse({ name: text }))).toBe(message)
  expect(say(agreementInput.safeParse({ scheme: text }))).toBe(message)
  expect(say(cancellationInput.safeParse({ text }))).toBe(message)
  expect(customer.parse({ name: text }).name).toBe(text)
})
