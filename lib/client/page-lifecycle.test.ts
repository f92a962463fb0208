import { expect, it, vi } from 'vitest'
import { type Go, guardLeaving, leave } from './page-lifecycle'

it('leaves at once where nobody guards, and where somebody does only when they agree', () => {
  const go = vi.fn<() => void>()
  leave(go)
  expect(go).toHaveBeenCalledTimes(1)
  const kept: Go[] = []
  const end = guardLeaving((wanted) => kept.push(wanted))
  leave(go)
  expect(go).toHaveBeenCalledTimes(1)
  void kept[0]?.()
  expect(go).toHaveBeenCalledTimes(2)
  end()
  leave(go)
  expect(go).toHaveBeenCalledTimes(3)
})
