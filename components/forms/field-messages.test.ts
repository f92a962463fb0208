import { describe, expect, it } from 'vitest'
import { matchProblemErrors, formatMessage } from './field-messages'

const fields = ['name', 'postalCode', 'schemeData.cvrNumber']

describe('what was said of fields', () => {
  it('finds its field in any letter case, and by a dotted path', () => {
    const errors = { NAME: ['Is taken.', 'Is short.'], PostalCode: 'Is too long.', 'SchemeData.CVRNumber': ['Bad.'] }
    expect(matchProblemErrors(errors, fields)).toEqual({
      messages: { name: 'Is taken. Is short.', postalCode: 'Is too long.', 'schemeData.cvrNumber': 'Bad.' },
      others: [],
    })
  })

  it('stands beside the form where it names no field of it', () => {
    expect(matchProblemErrors({ '': ['All wrong.'], other: ['Unknown.'], name: [7] }, fields)).toEqual({
      messages: {},
      others: ['All wrong.', 'other: Unknown.'],
    })
    expect(matchProblemErrors({ '': ['One.', 'Two.'] }, fields).others).toEqual(['One.', 'Two.'])
    expect(matchProblemErrors('no record', fields)).toEqual({ messages: {}, others: [] })
  })

  it('keeps several messages apart that are no sentences', () => {
    const errors = { name: ['Must be 4 digits', 'No letters.', 'Be short'] }
    expect(matchProblemErrors(errors, fields).messages).toEqual({ name: 'Must be 4 digits; No letters. Be short' })
  })

  it('is a sentence, whoever said it', () => {
    expect(formatMessage('Name', 'must not be empty')).toBe('Name must not be empty.')
    expect(formatMessage('Name', 'Is taken.')).toBe('Is taken.')
    expect(formatMessage('Name', undefined)).toBeNull()
  })
})
