'use client'

import { useMutation } from '@tanstack/react-query'
import { Inbox, Unplug } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { type FormEvent, type MouseEvent, useLayoutEffect, useRef, useState, useTransition } from 'react'
import { isSelectingText } from '@/components/data-table/grid-actions'
import { getListPlace, saveListPlace } from '@/components/data-table/list-place'
import { toProblemInfo } from '@/components/feedback/problem-display'
import { ProblemNotice } from '@/components/feedback/problem-notice'
import { PageForm } from '@/components/forms/before-hydration'
import { useAppConfig } from '@/components/layout/app-config'
import { Link } from '@/components/layout/link'
import { SchemeName, TestBadge } from '@/components/payments/badges'
import { StatusBadge } from '@/components/payments/status-badge'
import { Timestamp } from '@/components/records/dates'
import { Button } from '@/components/ui/button'
import { describeField, Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { UntrustedText } from '@/components/ui/untrusted-text'
import { callEndpoint, CallError } from '@/lib/client/api-client'
import { withMerchantParam } from '@/lib/client/page-context'
import type { KnownAgreement, KnownAgreements } from '@/lib/domain/agreements'
import { buildPagePath } from '@/lib/domain/page-address'
import * as m from '@/lib/messages/m'

function explainRefusal(words: string): string {
  return words === '' ? m.agreements_typeAnId() : m.agreements_thisCannotStand()
}

/**
 * Opens the page of an agreement by its id or handle, once the provider has one. `sent` was sent before the script was
 * ready and can't be opened.
 */
export function AgreementLookup({ agreements, sent }: { agreements: readonly KnownAgreement[]; sent: string | null }) {
  const router = useRouter()
  const { merchant } = useAppConfig()
  const [refusal, setRefusal] = useState(sent === null ? null : explainRefusal(sent))
  const [isOpening, startOpening] = useTransition()
  const lookup = useMutation({
    mutationFn: (agreementIdOrHandle: string) => callEndpoint('getAgreement', { params: { agreementIdOrHandle } }),
  })
  const code = lookup.error instanceof CallError ? lookup.error.code : null
  const isMissing = code === 'not-found' || code === 'bad-request'
  const missing = code === 'not-found' ? m.problems_serviceHasNo({ kind: 'agreement' }) : m.problems_thisCannotBeAnId()
  const error = isMissing ? missing : refusal
  const isBusy = lookup.isPending || isOpening

  // Read from the form, not from state: it may have been typed before hydration.
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    if (isBusy) return
    const typed = new FormData(event.currentTarget).get('words')
    const wanted = typeof typed === 'string' ? typed.trim() : ''
    const page = buildPagePath('/agreements', wanted)
    if (!page) return setRefusal(explainRefusal(wanted))
    const open = () => startOpening(() => router.push(withMerchantParam(page)))
    // One of the list opens as its row does.
    if (agreements.some(({ agreementId, handle }) => agreementId === wanted || handle === wanted)) return open()
    return lookup.mutate(wanted, { onSuccess: open })
  }

  return (
    <search className="grid max-w-md gap-3">
      <form onSubmit={submit}>
        {merchant === null ? null : <input type="hidden" name="merchant" value={merchant} />}
        <Field id="agreement-lookup" label={m.agreements_idOrHandle()}>
          <div className="flex gap-2">
            <Input
              id="agreement-lookup"
              name="words"
              defaultValue={sent ?? undefined}
              autoComplete="off"
              spellCheck={false}
              aria-invalid={error ? true : undefined}
              aria-describedby={describeField('agreement-lookup', { error })}
              onChange={() => {
                setRefusal(null)
                // What was asked for is no longer wanted.
                lookup.reset()
              }}
            />
            <Button aria-busy={isBusy || undefined} type="submit" reason={isBusy ? m.agreements_isBeingRead() : null}>
              {m.agreements_open()}
            </Button>
          </div>
        </Field>
        <output className="block text-[0.8125rem] font-medium text-negative">
          {error ? (
            <span id="agreement-lookup-error" className="mt-1.5 block">
              {error}
            </span>
          ) : null}
        </output>
      </form>
      {lookup.error && !isMissing ? <ProblemNotice problem={toProblemInfo(lookup.error)} /> : null}
    </search>
  )
}

function explainSource({ source, rememberedBy }: KnownAgreement): string {
  if (source === 'merchant') return m.agreements_namedInTheMerchantRecord()
  return source === 'made' ? m.agreements_createdBy({ rememberedBy }) : m.agreements_openedBy({ rememberedBy })
}

/** On a phone a row is a card of three lines. */
const cell = 'px-3 py-2.5 text-left align-middle first:pl-4 last:pr-4 max-md:p-0 max-md:first:pl-0 max-md:last:pr-0'

/** None is known, and the merchant record, which may name some, could not be read. */
function NotRead() {
  const router = useRouter()
  return (
    <div
      role="alert"
      className="flex flex-col items-center rounded-lg border border-line bg-surface px-6 py-12 text-center"
    >
      <Unplug strokeWidth={1.5} className="size-8 text-ink-faint" />
      <p className="mt-3 text-base font-semibold">{m.agreements_recordNotRead()}</p>
      <p className="mt-1 mb-4 text-ink-soft">{m.agreements_mayHaveAgreements()}</p>
      <PageForm onSubmit={() => router.refresh()}>
        <Button type="submit">{m.retry_retry()}</Button>
      </PageForm>
    </div>
  )
}

type KnownAgreementsTableProps = KnownAgreements & {
  /** Identifies the page load. */
  loadId: string
}

/** The known agreements, oldest first. */
export function KnownAgreementsTable({ agreements, merchant, loadId }: KnownAgreementsTableProps) {
  const rows = useRef<HTMLTableSectionElement>(null)
  // On the way back to the list its row gets the focus.
  useLayoutEffect(() => {
    const { focusKey } = getListPlace(loadId)
    if (focusKey === null || document.activeElement?.matches('body, #content') !== true) return
    const row = [...(rows.current?.rows ?? [])].find(({ dataset }) => dataset.rowId === focusKey)
    row?.querySelector('a')?.focus({ preventScroll: true })
  }, [loadId])

  function openRow(event: MouseEvent): void {
    const { target } = event
    const row = target instanceof Element ? target.closest<HTMLElement>('[data-row-id]') : null
    const link = row?.querySelector('a')
    if (!(target instanceof Element) || !row || !link) return
    saveListPlace(loadId, { focusKey: row.dataset.rowId ?? null })
    const isOwnAction = link.contains(target) || event.metaKey || event.ctrlKey || event.shiftKey
    if (!isOwnAction && !isSelectingText(event, target)) link.click()
  }

  if (agreements.length === 0 && merchant === 'unreadable') return <NotRead />
  if (agreements.length === 0) {
    return (
      <div className="flex flex-col items-center rounded-lg border border-line bg-surface px-6 py-12 text-center">
        <Inbox strokeWidth={1.5} className="size-8 text-ink-faint" />
        <p className="mt-3 text-base font-semibold">{m.agreements_noAgreementIsKnownYet()}</p>
        <p className="mt-1 text-ink-soft">{m.agreements_createOneOrOpenOne()}</p>
      </div>
    )
  }
  return (
    <section
      aria-label={m.agreements_knownAgreements()}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by keys where it is wider than the screen
      tabIndex={0}
      className="overflow-x-auto rounded-lg border border-line bg-surface"
    >
      <table className="w-full">
        <thead className="border-b border-line bg-sunken text-[0.8125rem] text-ink-soft max-md:sr-only">
          <tr>
            {[
              m.agreements_handle(),
              m.agreements_scheme(),
              m.agreements_state(),
              m.agreements_mode(),
              m.agreements_knownBecause(),
              m.agreements_read(),
            ].map((name) => (
              <th key={name} scope="col" className={`${cell} font-medium whitespace-nowrap`}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- for a pointer; the link serves the keys */}
        <tbody ref={rows} onClick={openRow}>
          {agreements.map((one) => {
            const page = buildPagePath('/agreements', one.agreementId)
            const name = <UntrustedText>{one.handle || one.agreementId}</UntrustedText>
            return (
              <tr
                key={one.agreementId}
                className="border-t border-line first:border-t-0 has-[a]:cursor-pointer has-[a]:hover:bg-sunken max-md:grid max-md:grid-cols-[minmax(0,1fr)_auto] max-md:items-center max-md:gap-x-3 max-md:gap-y-1 max-md:px-4 max-md:py-3"
                data-row-id={one.agreementId}
                data-status={one.status ?? undefined}
              >
                <th scope="row" className={`${cell} font-medium wrap-anywhere`}>
                  <div className="md:w-max md:max-w-80 md:min-w-40">
                    {page ? (
                      <Link href={page} className="text-accent-ink hover:underline">
                        {name}
                      </Link>
                    ) : (
                      name
                    )}
                  </div>
                </th>
                <td className={`${cell} max-md:col-start-1`}>{one.scheme ? <SchemeName code={one.scheme} /> : '—'}</td>
                <td className={`${cell} max-md:col-start-2 max-md:row-start-1 max-md:text-right`}>
                  <StatusBadge status={one.status} />
                </td>
                <td className={`${cell} max-md:text-right`}>
                  {one.test === false ? m.agreements_live() : <TestBadge test={one.test} />}
                </td>
                <td className={`${cell} text-ink-soft max-md:col-span-2 max-md:text-[0.8125rem]`}>
                  {explainSource(one)}
                </td>
                <td className={`${cell} max-md:col-span-2 max-md:text-[0.8125rem] max-md:text-ink-soft`}>
                  <span className="md:hidden">{m.agreements_read()} </span>
                  <Timestamp value={one.readAt} />
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}
