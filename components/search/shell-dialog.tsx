'use client'

import { readPastNotices } from '../feedback/toast-store'
import { Timestamp } from '../records/dates'
import { Modal } from '../ui/dialog'
import { UntrustedText } from '../ui/untrusted-text'
import type { ShellTool } from './destinations'
import { SearchDialog } from './search-dialog'
import * as words from '@/lib/words/finding'
import * as shortcutsWords from '@/lib/words/shortcuts'

/** Past confirmations. */
export function NoticesDialog({ onClose }: { onClose: () => void }) {
  const notices = readPastNotices()
  return (
    <Modal title={words.notices} onClose={onClose}>
      {notices.length === 0 ? (
        <p className="text-ink-soft">{words.noNotices}</p>
      ) : (
        <ol aria-label={words.noticesInOrder} className="border-y border-line">
          {notices.map(({ title, text, at }, index) => (
            <li
              key={`${at} ${notices.length - index}`}
              className="flex flex-wrap items-baseline justify-between gap-x-4 border-b border-line py-2 last:border-b-0"
            >
              <p>
                <span className="font-medium">
                  <UntrustedText>{title}</UntrustedText>
                </span>{' '}
                <UntrustedText>{text}</UntrustedText>
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

const groups: readonly { name: string; note?: string; keys: readonly [keys: readonly string[], what: string][] }[] = [
  {
    name: shortcutsWords.anywhere,
    keys: [
      [[shortcutsWords.ctrlK, '⌘ K'], shortcutsWords.findAPageAnAction],
      [[shortcutsWords.ctrl, '⌘ /'], shortcutsWords.thisList],
      [['F6'], shortcutsWords.goToTheConfirmations],
      [[shortcutsWords.esc], shortcutsWords.closeWhatIsOpen],
    ],
  },
  {
    name: shortcutsWords.inAList,
    note: shortcutsWords.whileTheFocus,
    keys: [
      [['↓', 'J'], shortcutsWords.nextRow],
      [['↑', 'K'], shortcutsWords.rowBeforeFromTheFirst],
      [[shortcutsWords.pageDown, shortcutsWords.pageUp], shortcutsWords.screenFurtherOrBack],
      [['Home', 'End'], shortcutsWords.firstRowLastRow],
      [['→', '←'], shortcutsWords.linksDatesAndButtons],
      [['Enter'], shortcutsWords.openTheRow],
      [[shortcutsWords.space, 'X'], shortcutsWords.tickTheRowWithShift],
      [['Shift ↓', 'Shift ↑'], shortcutsWords.tickWhileGoing],
      [['C', 'Shift C'], shortcutsWords.copyTheIdCopy],
      [[shortcutsWords.esc], shortcutsWords.backToTheRow],
      [['?'], shortcutsWords.thisList],
    ],
  },
  {
    name: shortcutsWords.inACancellation,
    keys: [
      [['Enter'], shortcutsWords.newLineInTheReason],
      [[shortcutsWords.ctrlEnter, '⌘ Enter'], shortcutsWords.cancelThePayment],
      [[shortcutsWords.esc], shortcutsWords.keepThePayment],
    ],
  },
]

/** All keyboard shortcuts. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Modal title={words.shortcuts} onClose={onClose}>
      <div className="grid gap-5">
        {groups.map(({ name, note, keys }) => (
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
      </div>
    </Modal>
  )
}

type ShellDialogProps = {
  tool: ShellTool
  mayManage: boolean
  onOpen: (tool: ShellTool) => void
  onClose: () => void
}

/** Dialogs available on every page, in one chunk. */
export function ShellDialog({ tool, mayManage, onOpen, onClose }: ShellDialogProps) {
  if (tool === 'keys') return <ShortcutsDialog onClose={onClose} />
  if (tool === 'notices') return <NoticesDialog onClose={onClose} />
  return <SearchDialog mayManage={mayManage} onOpen={onOpen} onClose={onClose} />
}
