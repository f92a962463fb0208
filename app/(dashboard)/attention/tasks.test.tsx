import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { facts } from '@/components/data-table/testing/render-rows'
import { AppConfigProvider } from '@/components/layout/app-config'
import { QueryProvider } from '@/components/layout/query-provider'
import { setDeskForEach } from '@/lib/client/testing/page'
import type { NoteView } from '@/lib/domain/notes'
import { Tasks } from './tasks'

const desk = setDeskForEach()

const task: NoteView = {
  noteId: 'n1',
  kind: 'payment',
  objectId: 'p1',
  objectName: 'INV-1',
  text: 'Call them',
  author: 'bo@debitdesk.example',
  createdAt: '2026-11-20T10:00:00.000Z',
  assignee: 'ann@debitdesk.example',
  dueDay: null,
  doneAt: null,
  doneBy: null,
  mayChange: true,
  mayDelete: false,
}

it('one that was done since the page was made, as after Back, is no longer listed', async () => {
  desk.answerWith(() => ({ json: [] }))
  render(
    <AppConfigProvider config={facts}>
      <QueryProvider>
        <Tasks initialTasks={[task]} />
      </QueryProvider>
    </AppConfigProvider>,
  )
  expect(screen.getByText('Call them')).toBeTruthy()
  expect(await screen.findByText('Nothing is assigned to you.')).toBeTruthy()
  expect(desk.arrived.map(({ path, headers }) => [path, headers['x-debitdesk-quiet']])).toEqual([
    ['/api/desk/notes/tasks', '1'],
  ])
})
