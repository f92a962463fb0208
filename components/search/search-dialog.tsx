'use client'

import { joinList } from '@/lib/language/join-list'
import { Dialog } from '@base-ui/react/dialog'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import type { Role } from '@/lib/api-contract/permission'
import { callDesk } from '@/lib/client/api-client'
import { withMerchantParam } from '@/lib/client/page-context'
import { leave } from '@/lib/client/page-lifecycle'
import { useTheme } from '@/lib/client/theme'
import type { SearchHit, SearchReply } from '@/lib/domain/search'
import { isStorable } from '@/lib/domain/text/is-storable'
import { Amount } from '../payments/amount'
import { StatusBadge } from '../payments/status-badge'
import { BusinessDate } from '../records/dates'
import { Input } from '../ui/input'
import { UntrustedText } from '../ui/untrusted-text'
import { type Choice, findPlaces } from './destinations'
import type { ShellTool } from './destinations'
import * as m from '@/lib/messages/m'

const DEBOUNCE_MS = 200
/** Milliseconds between reads while it is being found out which searches the provider supports. */
const UNTRIED_INTERVALS_MS = [2_000, 4_000, 8_000]

/** Searches records, debounced. A reply to an earlier text is never shown for a later one. */
export function useSearch(typed: string): { reply: SearchReply | null; failed: boolean; isAsking: boolean } {
  const text = typed.trim()
  const isSearchable = text.length >= 2 && text.length <= 200 && isStorable(text)
  const [settled, setSettled] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text])
  const { data, isError } = useQuery({
    queryKey: ['search', text],
    queryFn: ({ signal }) => callDesk<SearchReply>(`/search?q=${encodeURIComponent(text)}`, { signal }),
    enabled: isSearchable && settled === text,
    retry: false,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchInterval: ({ state: { data, dataUpdateCount, status } }) =>
      (status === 'success' && data?.untried.length && UNTRIED_INTERVALS_MS[dataUpdateCount - 1]) || false,
  })
  const reply = (isSearchable && data) || null
  const failed = isSearchable && ((isError && reply === null) || reply?.failed === true)
  return { reply, failed, isAsking: isSearchable && reply === null && !isError }
}

/* oxlint-disable jsx-a11y/prefer-tag-over-role -- no element of HTML is a list that a field elsewhere moves through */

const kindNames = {
  Customer: m.finding_customer,
  Payment: m.finding_payment,
  Mandate: m.finding_mandate,
  Agreement: m.finding_agreement,
}
const listNames = { Customers: m.shell_customers, Payments: m.shell_payments }

function describe(found: number, { reply, isAsking, failed }: ReturnType<typeof useSearch>): string {
  if (isAsking) return m.finding_looking()
  if (failed) return m.finding_notAsked()
  const nameLists = (lists: SearchReply['untried']) => joinList(lists.map((list) => listNames[list]()))
  const untried = reply?.untried ?? []
  // A server of an earlier version, not replaced yet, doesn't send it.
  const unsupported = reply?.unsupported ?? []
  const unsearched = [
    ...(untried.length > 0 ? [m.finding_notTried({ lists: nameLists(untried) })] : []),
    ...(unsupported.length > 0 ? [m.finding_notSupported({ lists: nameLists(unsupported) })] : []),
  ]
  const count = found > 0 && reply !== null ? [m.finding_count({ count: found })] : []
  if (count.length + unsearched.length > 0) return [...count, ...unsearched].join(' ')
  if (reply === null) return ''
  return reply.mindsCase ? m.finding_nothingFoundWithTheseCapital() : m.finding_nothingFound()
}

/** Groups consecutive choices; `from` is the index of a group's first choice. */
function groupChoices(choices: readonly Choice[]): { group: string; from: number; members: Choice[] }[] {
  const groups: ReturnType<typeof groupChoices> = []
  for (const [index, choice] of choices.entries()) {
    const last = groups.at(-1)
    if (last?.group === choice.group) last.members.push(choice)
    else groups.push({ group: choice.group, from: index, members: [choice] })
  }
  return groups
}

/** What distinguishes one payment from the next: amount, date and state. */
function HitFacts({ hit: { payment, status } }: { hit: SearchHit }) {
  return (
    <>
      {payment ? (
        <span className="flex shrink-0 flex-col items-end text-[0.8125rem]">
          <Amount amount={payment.amount} currency={payment.currency} />
          <span className="text-ink-soft">
            <BusinessDate value={payment.paymentDate} />
          </span>
        </span>
      ) : null}
      {status ? (
        <span className="shrink-0">
          <StatusBadge status={status} />
        </span>
      ) : null}
    </>
  )
}

type SearchDialogProps = { role: Role; onOpen: (tool: ShellTool) => void; onClose: () => void }

/** One search field for pages, actions and records: arrows select, Enter opens. */
export function SearchDialog({ role, onOpen, onClose }: SearchDialogProps) {
  const router = useRouter()
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  /** The key of the choice that was selected last; null after the text has changed. */
  const [selected, setSelected] = useState<string | null>(null)
  /** The key of the choice that came first once the records were there: later ones don't take its place. */
  const [first, setFirst] = useState<string | null>(null)
  /** Whether Enter was pressed before the records of the text were there. */
  const [opensFirst, setOpensFirst] = useState(false)
  const search = useSearch(text)
  const [, setTheme] = useTheme()
  const hits = (search.reply?.hits ?? []).map(
    (hit): Choice => ({
      key: hit.page,
      group: m.finding_records(),
      title: hit.title,
      about: [kindNames[hit.kind](), hit.about].filter(Boolean).join(' · '),
      page: hit.page,
      hit,
    }),
  )
  // Records arrive late: entries above them must not move while the user presses Enter.
  const { places, searches } = findPlaces(text, role)
  const choices = [...places, ...hits, ...searches]
  // Records come before the searches of the lists: an index would then mean another choice.
  if (first === null && !search.isAsking && choices[0]) setFirst(choices[0].key)
  const found = choices.findIndex(({ key }) => key === (selected ?? first))
  // None by itself where a record may still come first: Enter would open it in place of what was read there.
  const isFirstSettled = places.length > 0 || !search.isAsking
  const chosen = found === -1 && choices.length > 0 && isFirstSettled ? 0 : found

  useEffect(() => {
    if (selected !== null) document.getElementById(`${id}-${chosen}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, selected, chosen])

  const openFirst = useEffectEvent(() => {
    const choice = choices[chosen]
    if (choice?.hit) go(choice)
  })
  useEffect(() => {
    if (opensFirst && !search.isAsking) openFirst()
  }, [opensFirst, search.isAsking])

  function go({ page, tool, theme }: Choice): void {
    if (tool) return onOpen(tool)
    onClose()
    if (theme) return setTheme(theme)
    leave(() => router.push(withMerchantParam(page)))
  }

  function onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && choices.length > 0) {
      event.preventDefault()
      const from = chosen === -1 && step === -1 ? 0 : chosen
      setSelected(choices[(from + step + choices.length) % choices.length]?.key ?? null)
      setOpensFirst(false)
    }
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    event.preventDefault()
    const choice = choices[chosen]
    if (choice) go(choice)
    else setOpensFirst(search.isAsking)
  }

  return (
    <Dialog.Root open onOpenChange={(open) => (open ? undefined : onClose())}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-veil" />
        <Dialog.Popup
          initialFocus={field}
          className="fixed top-[12vh] left-1/2 z-50 flex max-h-[70vh] w-[36rem] max-w-[calc(100vw-1.5rem)] -translate-x-1/2 flex-col overflow-hidden rounded-xl bg-raised text-ink shadow-panel max-md:top-3 forced-colors:border"
        >
          <Dialog.Title className="sr-only">{m.shellControls_find()}</Dialog.Title>
          <div className="border-b border-line p-3">
            <Input
              ref={field}
              value={text}
              role="combobox"
              aria-expanded="true"
              aria-controls={`${id}-list`}
              aria-activedescendant={chosen >= 0 ? `${id}-${chosen}` : undefined}
              aria-label={m.finding_findLabel()}
              placeholder={m.finding_findPlaceholder()}
              autoComplete="off"
              maxLength={200}
              onChange={(event) => {
                setText(event.target.value)
                setSelected(null)
                setFirst(null)
                setOpensFirst(false)
              }}
              onKeyDown={onKeyDown}
            />
          </div>
          <div id={`${id}-list`} role="listbox" aria-label={m.finding_found()} className="min-h-0 overflow-y-auto p-2">
            {groupChoices(choices).map(({ group, from, members }) => (
              <div key={group} role="group" aria-labelledby={`${id}-group-${from}`} className="not-first:mt-1.5">
                <div id={`${id}-group-${from}`} className="px-3 py-1 text-xs font-medium text-ink-soft">
                  {group}
                </div>
                {members.map((choice, step) => (
                  // The field keeps the focus and handles the keys; a pointer selects directly.
                  // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
                  <div
                    key={choice.key}
                    id={`${id}-${from + step}`}
                    role="option"
                    tabIndex={-1}
                    aria-selected={from + step === chosen}
                    onMouseMove={() => setSelected(choice.key)}
                    onClick={() => go(choice)}
                    className="flex min-h-9 cursor-pointer items-center gap-3 rounded-md px-3 py-1.5 aria-selected:bg-accent-soft aria-selected:[outline:2px_solid_var(--focus)] aria-selected:-outline-offset-2 max-md:min-h-11"
                  >
                    <span className="flex min-w-0 flex-1 flex-col">
                      <span className="truncate font-medium">
                        <UntrustedText>{choice.title}</UntrustedText>
                      </span>
                      {choice.about ? (
                        <span className="truncate text-[0.8125rem] text-ink-soft">
                          <UntrustedText>{choice.about}</UntrustedText>
                        </span>
                      ) : null}
                    </span>
                    {choice.hit ? <HitFacts hit={choice.hit} /> : null}
                  </div>
                ))}
              </div>
            ))}
          </div>
          <output className="px-5 py-2 text-[0.8125rem] text-ink-soft empty:hidden">
            {describe(places.length + hits.length, search)}
          </output>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
