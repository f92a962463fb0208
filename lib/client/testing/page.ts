import { cleanup } from '@testing-library/react'
import { afterEach, beforeEach } from 'vitest'
import { type DeskServer, startDeskServer } from './desk-server'

const stay = () => undefined

/** A router that goes nowhere. */
export const router = {
  back: stay,
  forward: stay,
  refresh: stay,
  push: stay,
  replace: stay,
  prefetch: stay,
  bfcacheId: '',
}

/** A desk's server for each test of a page; what was rendered is gone before it ends. */
export function setDeskForEach(): Pick<DeskServer, 'arrived' | 'answerWith'> {
  let desk: DeskServer
  beforeEach(async () => {
    desk = await startDeskServer()
  })
  afterEach(async () => {
    cleanup()
    await desk.close()
  })
  return {
    get arrived() {
      return desk.arrived
    },
    answerWith: (next) => desk.answerWith(next),
  }
}
