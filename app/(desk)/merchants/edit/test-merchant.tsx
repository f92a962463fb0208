'use client'

import { CircleCheck, CircleAlert, Info } from 'lucide-react'
import { useState } from 'react'
import { ProblemNotice } from '@/components/problem-notice'
import { Button } from '@/components/ui/button'
import { callDesk } from '@/lib/browser/call'
import { type ProblemFacts, readProblemFacts } from '@/lib/browser/problem-facts'
import * as words from '@/lib/words/merchants'

type Finding = { subject: string; result: 'ok' | 'note' | 'warning' | 'failure'; detail: string }

const icons = { ok: CircleCheck, note: Info, warning: CircleAlert, failure: CircleAlert }

/** Asks the service with what is stored, by reading only, and tells what was found. */
export function TestMerchant() {
  const [isAsking, setAsking] = useState(false)
  const [findings, setFindings] = useState<readonly Finding[] | null>(null)
  const [problem, setProblem] = useState<ProblemFacts | null>(null)

  async function ask(): Promise<void> {
    setAsking(true)
    setProblem(null)
    try {
      const reply = await callDesk<{ findings: Finding[] }>('/merchants/current/test', { method: 'POST' })
      setFindings(reply.findings)
    } catch (error) {
      setProblem(readProblemFacts(error))
    } finally {
      setAsking(false)
    }
  }

  return (
    <>
      <Button onClick={() => void ask()} reason={isAsking ? words.theServiceIsBeingAsked : null}>
        {words.testConnection}
      </Button>
      <output className="order-last block w-full empty:hidden">
        {problem ? <ProblemNotice facts={problem} /> : null}
        {findings ? (
          <ul className="mt-2 grid gap-1.5">
            {findings.map(({ subject, result, detail }) => {
              const Icon = icons[result]
              return (
                <li key={subject} data-result={result} className="flex gap-2">
                  <Icon
                    className={`mt-0.5 size-4 ${result === 'failure' ? 'text-negative' : result === 'ok' ? 'text-positive' : 'text-ink-soft'}`}
                  />
                  <span className="wrap-anywhere">{detail}</span>
                </li>
              )
            })}
          </ul>
        ) : null}
      </output>
    </>
  )
}
