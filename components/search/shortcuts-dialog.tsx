'use client'

import { Modal } from '../ui/modal'
import * as words from '@/lib/words/finding'
import * as shortcutsWords from '@/lib/words/shortcuts'

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

/** Every key that does something. */
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
