import { expect, it } from 'vitest'
import { readFactorProof } from './factor-fields'

it.each([
  [{ code: '123 456' }, { code: '123 456' }],
  [{ code: 'ABCD-EFGH-IJKL-MN27' }, { recoveryCode: 'ABCD-EFGH-IJKL-MN27' }],
  [{ code: ' abcdefghijklmn27 ' }, { recoveryCode: ' abcdefghijklmn27 ' }],
  [{ recoveryCode: 'ABCD-EFGH-IJKL-MN27' }, { recoveryCode: 'ABCD-EFGH-IJKL-MN27' }],
  [{ recoveryCode: '123456' }, { recoveryCode: '123456' }],
])('%o is read as %o', (fields, proof) => {
  expect(readFactorProof(fields)).toEqual(proof)
})
