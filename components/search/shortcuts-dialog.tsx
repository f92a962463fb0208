'use client'

import { Modal } from '../ui/modal'
import * as words from '@/lib/words/finding'

const groups: readonly { name: string; note?: string; keys: readonly [keys: readonly string[], what: string][] }[] = [
  {
    name: 'Anywhere',
    keys: [
      [['Ctrl K', '⌘ K'], 'Find a page, an action or a record'],
      [['Ctrl /', '⌘ /'], 'This list'],
      [['F6'], 'Go to the confirmations'],
      [['Esc'], 'Close what is open; the focus goes back to where it was'],
    ],
  },
  {
    name: 'In a list',
    note: 'While the focus is on a row. Tab leads into the list and out of it.',
    keys: [
      [['↓', 'J'], 'Next row'],
      [['↑', 'K'], 'Row before; from the first one ↑ leads to the headers'],
      [['Page Down', 'Page Up'], 'A screen further or back'],
      [['Home', 'End'], 'First row, last row that is loaded'],
      [['→', '←'], 'The links, dates and buttons of a row; a date says its full moment'],
      [['Enter'], 'Open the row'],
      [['Space', 'X'], 'Tick the row; with Shift, all from the one ticked last'],
      [['Shift ↓', 'Shift ↑'], 'Tick while going'],
      [['C', 'Shift C'], 'Copy the id, copy the handle'],
      [['Esc'], 'Back to the row; on a row, take all ticks away'],
      [['?'], 'This list'],
    ],
  },
  {
    name: 'In a cancellation',
    keys: [
      [['Enter'], 'A new line in the reason'],
      [['Ctrl Enter', '⌘ Enter'], 'Cancel the payment, with the reason as it stands'],
      [['Esc'], 'Keep the payment'],
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
