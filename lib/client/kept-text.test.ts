import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { forgetAllTexts, isText, useKept } from './kept-text'
import { setPageUser } from './page-context'

afterEach(() => {
  cleanup()
  window.sessionStorage.clear()
})

const open = () => renderHook(() => useKept('reason m-1 pay-1', '', isText)).result

it('what somebody typed is there again for them and not for the next person in the tab, until somebody signs out', () => {
  setPageUser('ann')
  const typed = open()
  act(() => typed.current[1]('Asked by phone'))
  expect(open().current[0]).toBe('Asked by phone')
  setPageUser('bo')
  expect(open().current[0]).toBe('')
  setPageUser('ann')
  expect(open().current[0]).toBe('Asked by phone')
  setPageUser('bo')
  forgetAllTexts()
  expect(window.sessionStorage).toHaveLength(0)
})
