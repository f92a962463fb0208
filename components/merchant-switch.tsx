import { Check, ChevronsUpDown } from 'lucide-react'
import { TestBadge } from './payments/test-badge'
import * as words from '@/lib/words/shell-controls'

type MerchantSwitchProps = {
  /** The merchant that the page is for. */
  current: string
  /** All that the visitor may work for. */
  merchants: readonly { connectionId: string; name: string; mode: 'live' | 'test' | null }[]
}

/**
 * For whom one works, always in sight where it could be somebody else. Another merchant is a full load: nothing in
 * memory may belong to two. Needs no script: the list is a popover of plain links.
 */
export function MerchantSwitch({ current, merchants }: MerchantSwitchProps) {
  const now = merchants.find(({ connectionId }) => connectionId === current)
  return (
    <div className="min-w-0 max-md:ml-2 max-md:mr-auto max-md:max-w-[58vw] md:mx-2 md:mb-3 xl:mx-3">
      <button
        type="button"
        popoverTarget="merchants"
        data-merchant={current}
        title={now?.name}
        className="flex min-h-9 w-full min-w-0 items-center gap-1.5 rounded-md border border-line bg-sunken px-2 py-1 text-left text-[0.8125rem] font-medium hover:bg-raised max-md:min-h-11 md:max-xl:flex-col md:max-xl:px-1 md:max-xl:text-center md:max-xl:text-xs"
      >
        <span className="sr-only">{words.merchant} </span>
        <span className="min-w-0 truncate md:max-xl:line-clamp-2 md:max-xl:w-full md:max-xl:whitespace-normal md:max-xl:wrap-anywhere xl:flex-1">
          {now?.name}
        </span>
        {now?.mode === 'test' ? <TestBadge test /> : null}
        <ChevronsUpDown className="size-3.5 text-ink-soft" />
      </button>
      <nav
        id="merchants"
        popover="auto"
        aria-label={words.merchants}
        className="inset-auto top-14 left-3 max-h-[min(28rem,80dvh)] w-72 max-w-[calc(100vw-1.5rem)] overflow-y-auto rounded-lg bg-raised p-2 text-ink shadow-panel md:top-28"
      >
        <ul className="flex flex-col gap-0.5">
          {merchants.map(({ connectionId, name, mode }) => (
            <li key={connectionId}>
              {/* A full load, on purpose. */}
              <a
                href={`/?merchant=${encodeURIComponent(connectionId)}`}
                aria-current={connectionId === current ? 'true' : undefined}
                className="flex min-h-9 items-center gap-2 rounded-md px-2.5 py-1.5 font-medium text-ink-soft hover:bg-sunken hover:text-ink aria-[current=true]:text-ink max-md:min-h-11"
              >
                <span className="min-w-0 flex-1 wrap-anywhere">{name}</span>
                {mode === 'test' ? <TestBadge test /> : null}
                {connectionId === current ? <Check className="size-4" /> : null}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  )
}
