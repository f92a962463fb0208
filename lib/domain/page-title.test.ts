import { expect, test } from 'vitest'
import { formatPageTitle } from './page-title'

test('a record is named in the title of its page', () => {
  expect(formatPageTitle('Payment', 'INV-2041')).toBe('Payment INV-2041')
  expect(formatPageTitle('Payment', null)).toBe('Payment')
  expect(formatPageTitle('Payment', ' ')).toBe('Payment')
})

test('what the service says can neither turn the title nor fill it', () => {
  expect(formatPageTitle('Customer', `a\u202eb`)).not.toContain('\u202e')
  expect(Array.from(formatPageTitle('Customer', '𝄞'.repeat(500)))).toHaveLength('Customer '.length + 60)
})
