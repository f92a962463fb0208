import { afterEach, expect, it, vi } from 'vitest'
import { saveFile } from './save-file'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('keeps the file after the click until the browser has read it, and not for ever', () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const kept = new Set<string>()
  const clicked: string[] = []
  // jsdom has neither.
  vi.stubGlobal('URL', {
    createObjectURL: () => (kept.add('blob:1'), 'blob:1'),
    revokeObjectURL: (url: string) => kept.delete(url),
  })
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    clicked.push(this.download)
  })
  saveFile('statement.csv', 'a,b', 'text/csv')
  expect([clicked, [...kept]]).toEqual([['statement.csv'], ['blob:1']])
  vi.runAllTimers()
  expect(kept.size).toBe(0)
  click.mockRestore()
})
