'use client'

import { CircleAlert, CircleCheck, Info } from 'lucide-react'
import { useState } from 'react'
import { ConfirmDialog } from '@/components/feedback/confirm-dialog'
import { type ProblemInfo, toProblemInfo } from '@/components/feedback/problem-display'
import { ProblemNotice } from '@/components/feedback/problem-notice'
import { showToastAfterLoad } from '@/components/feedback/toast-store'
import { ConnectionForm } from '@/components/merchants/connection-form'
import type { ConnectionFormValues } from '@/components/merchants/typed-connection'
import { Button } from '@/components/ui/button'
import { callDesk, retryAfterStepUp } from '@/lib/client/api-client'
import { type Finding, nameCheck } from '@/lib/domain/diagnostics-report'
import * as m from '@/lib/messages/m'

const icons = { ok: CircleCheck, note: Info, warning: CircleAlert, failure: CircleAlert, skipped: Info }

/** Tests the stored connection with read-only requests. */
export function TestMerchant() {
  const [isTesting, setTesting] = useState(false)
  const [findings, setFindings] = useState<readonly Finding[] | null>(null)
  const [problem, setProblem] = useState<ProblemInfo | null>(null)

  async function runTest(): Promise<void> {
    setTesting(true)
    setProblem(null)
    try {
      const reply = await callDesk<{ findings: Finding[] }>('/merchants/current/test', { method: 'POST' })
      setFindings(reply.findings)
    } catch (error) {
      setFindings(null)
      setProblem(toProblemInfo(error))
    } finally {
      setTesting(false)
    }
  }

  return (
    <>
      <Button onClick={() => void runTest()} reason={isTesting ? m.merchants_theServiceIsBeingAsked() : null}>
        {m.merchants_testConnection()}
      </Button>
      <output className="order-last block w-full empty:hidden">
        {problem ? <ProblemNotice problem={problem} /> : null}
        {findings ? (
          <ul className="mt-2 grid gap-1.5">
            {findings.map(({ area, subject, result, detail }) => {
              const Icon = icons[result]
              return (
                <li key={subject} data-result={result} className="flex gap-2">
                  <Icon
                    className={`mt-0.5 size-4 ${result === 'failure' ? 'text-negative' : result === 'ok' ? 'text-positive' : 'text-ink-soft'}`}
                  />
                  <span className="wrap-anywhere">
                    <span className="font-medium">{nameCheck({ area, subject })}</span> {detail}
                  </span>
                </li>
              )
            })}
          </ul>
        ) : null}
      </output>
    </>
  )
}

type EditMerchantProps = { name: string; initial: ConnectionFormValues; hasSecret: boolean; revision: number }

/** The connection form, the connection test and the removal. */
export function EditMerchant({ name, initial, hasSecret, revision }: EditMerchantProps) {
  // The one that the form was filled from, whatever is rendered later.
  const [shown] = useState(revision)
  const [isRemoving, setRemoving] = useState(false)
  return (
    <>
      <ConnectionForm
        initial={initial}
        hasSecret={hasSecret}
        action={m.merchants_save()}
        repeat="harmless"
        send={(body) => callDesk('/merchants/current', { method: 'PUT', body: { ...body, revision: shown } })}
        onDone={() => {
          showToastAfterLoad(m.merchants_connectionSaved())
          window.location.reload()
        }}
      />
      <div className="flex max-w-2xl flex-wrap items-start gap-2 border-t border-line px-4 py-6 md:mx-8 md:px-0">
        <TestMerchant />
        <Button tone="danger" onClick={() => setRemoving(true)}>
          {m.merchants_disconnectMerchant()}
        </Button>
      </div>
      {isRemoving ? (
        <ConfirmDialog
          title={m.merchants_disconnect({ name })}
          typed={{ label: m.merchants_name(), anyOf: [name] }}
          confirmLabel={m.merchants_disconnectMerchant()}
          cancelLabel={m.merchants_keepMerchant()}
          run={async () => {
            await retryAfterStepUp(() => callDesk('/merchants/current', { method: 'DELETE' }))
            showToastAfterLoad(m.merchants_disconnected({ name }))
            window.location.assign('/')
          }}
          onClose={() => setRemoving(false)}
        >
          <p>{m.merchants_nobodyReachesThisMerchant()}</p>
        </ConfirmDialog>
      ) : null}
    </>
  )
}
