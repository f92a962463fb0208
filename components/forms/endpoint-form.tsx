'use client'

import type { FormEvent, ReactNode } from 'react'
import { ConfirmRepeat } from './confirm-repeat'
import { useFocusContent } from '@/lib/client/page-lifecycle'
import { keepFocus } from './form-elements'
import { LeaveGuard } from './leave-guard'
import { HydratedFieldset } from './before-hydration'
import type { FormProblem, Repeat, RepeatQuestion } from './use-endpoint-form'
import { ProblemNotice } from '../feedback/problem-notice'
import { Button, buttonClasses } from '../ui/button'
import { Link } from '../layout/link'
import * as m from '@/lib/messages/m'

export type EndpointFormProps = {
  /** The return value of `useEndpointForm`. */
  state: {
    form: { formState: { isDirty: boolean; errors: { root?: { message?: string } } } }
    problem: FormProblem | null
    question: RepeatQuestion | null
    repeat: Repeat
    isSending: boolean
    onSubmit: (event: FormEvent<HTMLFormElement>) => Promise<void>
    forgetLost: () => void
  }
  /** The submit button's label, such as "Create customer". */
  action: string
  /** Why it can't be submitted now. */
  reason?: string | null
  /** After a lost reply: where to look whether it was done. */
  lookUp?: ReactNode
  /** The target of "Cancel". */
  cancelHref: string
  children: ReactNode
}

/** The frame of a form: fields, errors and buttons. Neither an error nor a wrong click loses input. */
export function EndpointForm({ state, action, reason = null, lookUp, cancelHref, children }: EndpointFormProps) {
  const { form, problem, question, repeat, isSending, onSubmit, forgetLost } = state
  const { isDirty, errors } = form.formState
  useFocusContent(problem !== null)
  const blockedReason = isSending ? m.forms_requestIsOnItsWay() : reason
  return (
    <>
      <form
        noValidate
        className="grid max-w-2xl grid-cols-1 gap-5 px-4 pb-12 md:px-8"
        onSubmit={(event) => {
          event.preventDefault()
          if (!blockedReason) void onSubmit(event)
        }}
      >
        {isDirty ? <LeaveGuard /> : null}
        <HydratedFieldset name={action}>
          {children}
          {errors.root?.message ? (
            <p role="alert" className="font-medium text-negative">
              {errors.root.message}
            </p>
          ) : null}
          {problem ? (
            <ProblemNotice
              problem={problem.problem}
              reloads
              doubt={
                problem.isLost
                  ? repeat === 'doubtful'
                    ? m.forms_nobodyCanSayYetWhether()
                    : m.forms_nothingIsDoneTwice()
                  : null
              }
            >
              {problem.isLost ? lookUp : null}
              {problem.isLost && repeat === 'doubtful' ? (
                <Button size="small" className="mt-2" onMouseDown={keepFocus} onClick={forgetLost}>
                  {m.forms_haveChecked()}
                </Button>
              ) : null}
            </ProblemNotice>
          ) : null}
          <div className="flex flex-wrap gap-2">
            <Button aria-busy={isSending || undefined} type="submit" tone="primary" reason={blockedReason}>
              {action}
            </Button>
            <Link href={cancelHref} className={buttonClasses()} onMouseDown={keepFocus}>
              {m.forms_cancel()}
            </Link>
          </div>
        </HydratedFieldset>
      </form>
      <ConfirmRepeat question={question}>{lookUp}</ConfirmRepeat>
    </>
  )
}
