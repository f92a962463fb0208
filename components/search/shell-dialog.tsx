'use client'

import type { Role } from '@/lib/api-contract/permission'
import { describeOutcome } from '@/lib/domain/cancellations/outcome-reasons'
import { readPastNotices } from '../feedback/toast-store'
import { Timestamp } from '../records/dates'
import { Modal } from '../ui/dialog'
import { Checkbox } from '../ui/input'
import { UntrustedText } from '../ui/untrusted-text'
import type { ShellTool } from './destinations'
import { SearchDialog } from './search-dialog'
import { setUsesSlash, usesSlash } from './slash-shortcut'
import * as m from '@/lib/messages/m'

/** Past confirmations. */
export function NoticesDialog({ onClose }: { onClose: () => void }) {
  const notices = readPastNotices()
  return (
    <Modal title={m.finding_notices()} onClose={onClose}>
      {notices.length === 0 ? (
        <p className="text-ink-soft">{m.finding_noNotices()}</p>
      ) : (
        <ol aria-label={m.finding_noticesInOrder()} className="border-y border-line">
          {notices.map(({ title, text, at, outcome }, index) => (
            <li
              key={`${at} ${notices.length - index}`}
              className="flex flex-wrap items-baseline justify-between gap-x-4 border-b border-line py-2 last:border-b-0"
            >
              <p>
                <span className="font-medium">
                  <UntrustedText>{title}</UntrustedText>
                </span>{' '}
                <UntrustedText>{`${text} ${(outcome && describeOutcome(outcome)) ?? ''}`.trim()}</UntrustedText>
              </p>
              <p className="text-[0.8125rem] text-ink-soft">
                <Timestamp value={at} />
              </p>
            </li>
          ))}
        </ol>
      )}
    </Modal>
  )
}

type KeyGroup = { name: string; note?: string; keys: readonly [keys: readonly string[], what: string][] }

const listKeyGroups = (): readonly KeyGroup[] => [
  {
    name: m.shortcuts_anywhere(),
    keys: [
      [[m.shortcuts_ctrlK(), '⌘ K'], m.shortcuts_findAPageAnAction()],
      [[m.shortcuts_ctrl(), '⌘ /'], m.shortcuts_showTheseShortcuts()],
      [['/'], m.shortcuts_goToTheSearch()],
      [['F6'], m.shortcuts_goToConfirmations()],
      [[m.shortcuts_esc()], m.shortcuts_closeWhatIsOpen()],
    ],
  },
  {
    name: m.shortcuts_inAList(),
    note: m.shortcuts_whileTheFocus(),
    keys: [
      [['↓', 'J'], m.shortcuts_nextRow()],
      [['↑', 'K'], m.shortcuts_rowBeforeFromTheFirst()],
      [[m.shortcuts_pageDown(), m.shortcuts_pageUp()], m.shortcuts_screenFurtherOrBack()],
      [['Home', 'End'], m.shortcuts_firstRowLastRow()],
      [['→', '←'], m.shortcuts_linksDatesAndButtons()],
      [['Enter'], m.shortcuts_openTheRow()],
      [[m.shortcuts_space(), 'X'], m.shortcuts_tickTheRowWithShift()],
      [['Shift ↓', 'Shift ↑'], m.shortcuts_tickWhileGoing()],
      [['C', 'Shift C'], m.shortcuts_copyTheIdCopy()],
      [[m.shortcuts_esc()], m.shortcuts_backToTheRow()],
      [['?'], m.shortcuts_showTheseShortcuts()],
    ],
  },
  {
    name: m.shortcuts_inAPanel(),
    keys: [
      [['J'], m.shortcuts_nextPayment()],
      [['K'], m.shortcuts_previousPayment()],
    ],
  },
  {
    name: m.shortcuts_inACancellation(),
    keys: [
      [['Enter'], m.shortcuts_newLineInTheReason()],
      [[m.shortcuts_ctrlEnter(), '⌘ Enter'], m.shortcuts_cancelThePayment()],
      [[m.shortcuts_esc()], m.shortcuts_keepThePayment()],
    ],
  },
]

/** All keyboard shortcuts. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Modal title={m.finding_shortcuts()} onClose={onClose}>
      <div className="grid gap-5">
        {listKeyGroups().map(({ name, note, keys }) => (
          <section key={name} aria-label={name}>
            <h3 className="font-medium">{name}</h3>
            {note ? <p className="text-[0.8125rem] text-ink-soft">{note}</p> : null}
            <dl className="mt-2 border-y border-line">
              {keys.map(([combinations, what]) => (
                <div
                  key={what}
                  className="flex items-baseline justify-between gap-6 border-b border-line py-1.5 last:border-b-0"
                >
                  <dt className="order-last flex shrink-0 gap-1.5">
                    {combinations.map((one) => (
                      <kbd
                        key={one}
                        className="min-w-6 rounded border border-edge/60 bg-sunken px-1.5 text-center font-sans text-xs leading-5"
                      >
                        {one}
                      </kbd>
                    ))}
                  </dt>
                  <dd>{what}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        <label className="flex min-h-9 items-center gap-2.5 max-md:min-h-11">
          <Checkbox defaultChecked={usesSlash()} onChange={({ target }) => setUsesSlash(target.checked)} />
          {m.shortcuts_useSlash()}
        </label>
      </div>
    </Modal>
  )
}

type ShellDialogProps = {
  tool: ShellTool
  role: Role
  onOpen: (tool: ShellTool) => void
  onClose: () => void
}

/** Dialogs available on every page, in one chunk. */
export function ShellDialog({ tool, role, onOpen, onClose }: ShellDialogProps) {
  if (tool === 'keys') return <ShortcutsDialog onClose={onClose} />
  if (tool === 'notices') return <NoticesDialog onClose={onClose} />
  return <SearchDialog role={role} onOpen={onOpen} onClose={onClose} />
}
