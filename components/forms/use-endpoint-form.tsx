'use client'

import { toNestErrors } from '@hookform/resolvers'
import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react'
import {
  type DefaultValues,
  type FieldValues,
  type Path,
  type Resolver,
  useForm,
  type UseFormReturn,
} from 'react-hook-form'
import { flushSync } from 'react-dom'
import type * as z from 'zod'
import { type ProblemInfo, toProblemInfo } from '@/components/feedback/problem-display'
import { CallError, createUuid, isLost, isNotExecuted } from '@/lib/client/api-client'
import { forgetText, isKeptRequest, keep, type KeptRequest, readKept } from '@/lib/client/kept-text'
import { getMerchant } from '@/lib/client/page-context'
import { useHydrated } from '@/lib/client/page-lifecycle'
import { describeField, Field } from '../ui/field'
import { Input, Textarea } from '../ui/input'
import { toFieldMessages, matchProblemErrors, formatMessage } from './field-messages'
import { focusFirstInvalid } from './form-elements'
import { waitForRemoval } from './leave-guard'
import * as m from '@/lib/messages/m'

/** A failed submission. `isLost`: nobody can say whether it was carried out. */
export type FormProblem = { problem: ProblemInfo; isLost: boolean }

/** A request that may have been carried out. */
type LostRequest<Body> = KeptRequest & { body: Body }

/** The question whether to send again what may have been done, possibly changed. */
export type RepeatQuestion = { isChanged: boolean; answer: (isConfirmed: boolean) => void }

type Options<Values extends FieldValues, Body, Reply> = {
  /** The contract's schema of the body. */
  schema: z.ZodType<Body>
  defaults: DefaultValues<Values>
  /** Field names; a name is the field's path in the body. */
  fields: readonly Path<Values>[]
  /** Builds the body from the input, before validation. */
  toBody: (values: Values) => unknown
  /** Validates input that is no longer visible in the body: messages by field. */
  check?: (values: Values) => Readonly<Record<string, string>>
  /** Asks before sending; false leaves the form as it is. */
  confirm?: (body: Body) => Promise<boolean>
  /** Asks the server what it needs to know, and makes the body that is sent. Where it fails, nothing was sent. */
  prepare?: (body: Body, values: Values) => Promise<Body>
  /** Sends the body. The key identifies this request across retries. */
  send: (body: Body, idempotencyKey: string) => Promise<Reply>
  /** Leaves the form, which stays busy until it is gone: the next page may be long in coming. */
  onDone: (reply: Reply) => void
  /** Whether the form stays instead, for the next body. */
  staysOpen?: boolean
  /**
   * What sending again after a lost reply does. `harmless`: nothing, whatever was changed. `same-key`: nothing as long as
   * the body is the same. `doubtful`: it may be done twice, for no provider promises to know a key again.
   */
  repeat?: Repeat
  /** Under which name a request without a reply is remembered in this tab, also when the page is loaded again. */
  keptAs?: string
}

export type Repeat = 'harmless' | 'same-key' | 'doubtful'

const earlierRequest = () =>
  new CallError(0, 'earlier-request', { type: 'about:blank', title: m.forms_earlierOutcomeUnknown(), status: 0 })

/**
 * Form state for sending one body: input is validated by the contract's schema and kept whatever the reply; messages
 * of our validation and of the API appear at their fields. Resending the same body after a lost reply reuses the key,
 * any other body gets a new one; where that may do something twice, it asks first.
 */
export function useEndpointForm<Values extends FieldValues, Body, Reply>(options: Options<Values, Body, Reply>) {
  const {
    schema,
    defaults,
    fields,
    toBody,
    check,
    confirm,
    prepare,
    send,
    onDone,
    repeat = 'harmless',
    staysOpen = false,
  } = options
  const keptKey = options.keptAs === undefined ? null : `lost ${options.keptAs} ${getMerchant() ?? ''}`
  const [problem, setProblem] = useState<FormProblem | null>(null)
  const [isSending, setSending] = useState(false)
  const isBusy = useRef(false)
  /** The newest first. */
  const [lost, setLost] = useState<readonly LostRequest<Body>[]>([])
  const [question, setQuestion] = useState<RepeatQuestion | null>(null)
  const isHydrated = useHydrated()
  const [isRestored, setRestored] = useState(false)
  if (isHydrated && !isRestored) {
    setRestored(true)
    restore()
  }

  function restore(): void {
    const kept = keptKey === null ? null : readKept(keptKey)
    if (!isKeptRequest(kept)) return
    const { data: body } = schema.safeParse(JSON.parse(kept.text))
    if (body === undefined) return
    setLost([{ body, ...kept }])
    setProblem({ problem: toProblemInfo(earlierRequest()), isLost: true })
  }

  function remember(request: LostRequest<Body> | undefined): void {
    if (keptKey === null) return
    if (request) keep(keptKey, { text: request.text, key: request.key })
    else forgetText(keptKey)
  }

  function mayRepeat(isChanged: boolean): Promise<boolean> {
    if (lost.length === 0 || repeat === 'harmless' || (repeat === 'same-key' && !isChanged))
      return Promise.resolve(true)
    return new Promise((resolve) => {
      const answer = (isConfirmed: boolean) => {
        setQuestion(null)
        resolve(isConfirmed)
      }
      setQuestion({ isChanged, answer })
    })
  }

  const resolver: Resolver<Values> = (values, _, given) => {
    const read = schema.safeParse(toBody(values))
    const messages = { ...toFieldMessages(read.error?.issues ?? [], fields), ...check?.(values) }
    if (Object.keys(messages).length === 0) return { values, errors: {} }
    const flat = Object.entries(messages).map(([field, message]) => [field || 'root', { type: 'check', message }])
    return { values: {}, errors: toNestErrors<Values>(Object.fromEntries(flat), given) }
  }
  const form = useForm<Values>({ defaultValues: defaults, resolver, mode: 'onTouched' })

  function handleError(error: unknown, isDoubtful: boolean): void {
    const { messages, others } = matchProblemErrors(error instanceof CallError ? error.problem?.errors : null, fields)
    const marked = fields.filter((field) => field in messages)
    const info = { ...toProblemInfo(error), messages: others }
    const isTyping = info.code === 'bad-request' && marked.length > 0
    setProblem({
      problem: isTyping ? { ...info, title: m.forms_whatIsMarkedAboveMust() } : info,
      isLost: isDoubtful,
    })
    for (const [index, field] of marked.entries())
      form.setError(field, { type: 'service', message: messages[field] ?? '' }, { shouldFocus: index === 0 })
  }

  async function submit(values: Values): Promise<void> {
    if (isBusy.current) return
    isBusy.current = true
    setSending(true)
    const body = schema.parse(toBody(values))
    const text = JSON.stringify(body)
    const known = lost.find((one) => one.text === text)
    const isChanged = lost.length > 0 && !known
    const request = known ?? { body, text, key: createUuid() }
    let isSent = false
    let isDone = false
    try {
      if (!(await mayRepeat(isChanged))) return
      if (confirm && !(await confirm(body))) return
      setProblem(null)
      const prepared = prepare ? await prepare(body, values) : body
      isSent = true
      remember(request)
      const reply = await send(prepared, request.key)
      remember(undefined)
      setLost([])
      // The input is saved: leaving, which `onDone` may do at once, needs no confirmation any more.
      flushSync(() => form.reset(values))
      await waitForRemoval()
      onDone(reply)
      isDone = true
    } catch (error) {
      // An attempt that was not carried out says nothing of an earlier one, nor does a refusal of another request.
      const isAnswered = isSent && !isNotExecuted(error)
      const isUnknown = isLost(error) || !(error instanceof CallError)
      const others = lost.filter((one) => one !== known)
      const inDoubt = !isAnswered ? lost : isUnknown ? [request, ...others] : others
      remember(inDoubt[0])
      setLost(inDoubt)
      handleError(error, inDoubt.length > 0)
    } finally {
      if (!isDone || staysOpen) {
        isBusy.current = false
        setSending(false)
      }
    }
  }

  function onSubmit(event: FormEvent<HTMLFormElement>): Promise<void> {
    const element = event.currentTarget
    return form.handleSubmit(submit, () => focusFirstInvalid(element))(event)
  }

  /** For whoever has found out what became of the request in doubt. */
  function forgetLost(): void {
    remember(undefined)
    setLost([])
    setProblem(null)
  }

  return { form, problem, lost: lost[0] ?? null, question, repeat, isSending, onSubmit, forgetLost }
}

type TextFieldProps<Values extends FieldValues> = {
  form: UseFormReturn<Values>
  name: Path<Values>
  label: string
  hint?: ReactNode
  required?: boolean
  /** Multi-line. */
  isLong?: boolean
  inputMode?: 'numeric' | 'text' | 'url'
  /** Masked, and not offered to password managers. */
  isSecret?: boolean
}

/** A text field with its label, hint and error. */
export function TextField<Values extends FieldValues>(props: TextFieldProps<Values>) {
  const { form, name, label, hint, required, isLong, inputMode, isSecret } = props
  const id = useId()
  const error = formatMessage(label, form.getFieldState(name, form.formState).error?.message)
  const control = {
    id,
    ...form.register(name),
    // The forms are about other people than the user.
    autoComplete: isSecret ? 'new-password' : 'off',
    inputMode,
    'aria-required': required ? (true as const) : undefined,
    'aria-invalid': error ? (true as const) : undefined,
    'aria-describedby': describeField(id, { hint, error }),
  }
  return (
    <Field id={id} label={label} hint={hint} error={error} required={required}>
      {isLong ? <Textarea {...control} rows={4} /> : <Input {...control} type={isSecret ? 'password' : 'text'} />}
    </Field>
  )
}
