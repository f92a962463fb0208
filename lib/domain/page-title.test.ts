import { expect, test } from 'vitest'
import { writePageTitle } from './page-title'

test('a record is named in the title of its page', () => {
  expect(writePageTitle('Payment', 'INV-2041')).toBe('Payment INV-2041')
  expect(writePageTitle('Payment', null)).toBe('Payment')
  expect(writePageTitle('Payment', ' ')).toBe('Payment')
})

test('what the service says can neither turn the title nor fill it', () => {
  expect(writePageTitle('Customer', `a\u202eb`)).not.toContain('\u202e')
  expect(Array.from(writePageTitle('Customer', '𝄞'.repeat(500)))).toHaveLength('Customer '.length + 60)
})
