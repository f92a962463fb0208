'use client'

import { useSearchParams } from 'next/navigation'
import { useEffect, useRef, useState } from 'react'
import { EndpointForm } from '@/components/forms/endpoint-form'
import { LeaveGuard } from '@/components/forms/leave-guard'
import { TextField, useEndpointForm } from '@/components/forms/use-endpoint-form'
import { Link } from '@/components/layout/link'
import { Button, buttonClasses } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copy-button'
import { merchantInput } from '@/lib/api-contract/merchants'
import { callEndpoint, retryAfterStepUp } from '@/lib/client/api-client'
import { withMerchantParam } from '@/lib/client/page-context'
import { parseIdentity } from '@/lib/domain/created-identity'
import { explainLoss } from '@/lib/domain/typed-json'
import * as m from '@/lib/messages/m'

/** A created merchant and the token that the API reveals only once. */
export type Created = { handle: string | null; id: string | null; token: string | null }

type CreatedNoticeProps = {
  created: Created
  onCopied: () => void
  onDone: () => void
}

/**
 * Confirms the creation of a merchant. The token can be copied while hidden and is shown only on request; it is
 * stored nowhere else and lost when the page is left, which asks first (docs/decisions/0124-a-new-merchants-token.md).
 */
export function CreatedNotice({ created: { id, handle, token }, onCopied, onDone }: CreatedNoticeProps) {
  const [isShown, setShown] = useState(false)
  const notice = useRef<HTMLOutputElement>(null)
  // The focused form is gone, and what is shown only once must not be missed.
  useEffect(() => notice.current?.focus(), [])
  return (
    <output
      ref={notice}
      tabIndex={-1}
      className="grid gap-1 rounded-b-lg border-t border-line bg-positive-soft px-5 py-4 max-md:px-4"
    >
      <span className="font-medium">
        {m.merchant_merchantWasCreated()}
        {handle || id ? `: ${handle ?? id}` : ''}
      </span>
      {token ? (
        <span className="flex flex-wrap items-center gap-x-2">
          <span>
            {m.merchant_itsTokenToldOnlyNow()}{' '}
            {isShown ? <code className="text-[0.8125rem] wrap-anywhere">{token}</code> : m.merchant_hiddenToken()}
          </span>
          <CopyButton value={token} name={m.merchant_tokenName()} onCopied={onCopied} />
          <Button size="small" onClick={() => setShown(!isShown)}>
            {isShown ? m.merchant_hideToken() : m.merchant_showToken()}
          </Button>
        </span>
      ) : null}
      <span className="text-ink-soft">
        {m.merchant_thisDeskGoesOnWorking()} {token ? m.merchant_copyTheToken() : null}
      </span>
      {token ? (
        <Button size="small" className="mt-2 justify-self-start" onClick={onDone}>
          {m.merchant_tokenIsCopied()}
        </Button>
      ) : null}
    </output>
  )
}

type Typed = { name: string; isvHandle: string; metaData: string }

/** Omits empty fields; invalid JSON stays a string, so that validation reports it. */
function toBody({ name, isvHandle, metaData }: Typed): unknown {
  return {
    name,
    ...(isvHandle.trim() === '' ? {} : { isvHandle: isvHandle.trim() }),
    ...(metaData.trim() === '' ? {} : { metaData: readJson(metaData) }),
  }
}

/** Rejects what could not be sent as it is. */
function checkMetaData({ metaData }: Typed): Readonly<Record<string, string>> {
  const loss = explainLoss(metaData)
  return loss === null ? {} : { metaData: loss }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The token that some deployments return with a new merchant, and only then. */
function readToken(reply: unknown): string | null {
  if (typeof reply !== 'object' || reply === null) return null
  const { token }: { token?: unknown } = reply
  return typeof token === 'string' && token !== '' ? token : null
}

function MerchantForm({ onCreated }: { onCreated: (created: Created) => void }) {
  const state = useEndpointForm<Typed, unknown, unknown>({
    schema: merchantInput,
    defaults: { name: '', isvHandle: '', metaData: '' },
    repeat: 'doubtful',
    keptAs: 'merchant',
    fields: ['name', 'isvHandle', 'metaData'],
    toBody,
    check: checkMetaData,
    send: async (body, idempotencyKey) => {
      const create = () => callEndpoint('createMerchant', { body: merchantInput.parse(body), idempotencyKey })
      return (await retryAfterStepUp(create)).reply
    },
    onDone: (reply) => {
      // At once, and before the guard of the token remembers the address.
      history.replaceState(null, '', withMerchantParam('/merchant'))
      onCreated({ ...parseIdentity(reply), token: readToken(reply) })
    },
  })
  const { setFocus } = state.form
  // The button that opened the form is gone, and the form may be out of view.
  useEffect(() => setFocus('name'), [setFocus])
  const isRefused = state.problem?.problem.code === 'upstream-forbidden'
  return (
    <div className="-mx-4 mt-4 -mb-12 md:-mx-8">
      <EndpointForm
        state={state}
        action={m.merchant_createMerchant()}
        lookUp={<p>{m.merchant_askWhetherItExists()}</p>}
        cancelHref="/merchant"
      >
        <TextField form={state.form} name="name" label={m.merchant_name()} required />
        <TextField
          form={state.form}
          name="isvHandle"
          label={m.merchant_isvHandle()}
          hint={m.merchant_handleOfTheSoftwareVendor()}
        />
        <TextField
          form={state.form}
          name="metaData"
          label={m.merchant_additionalData()}
          hint={m.merchant_anythingToKeep()}
          isLong
        />
        {isRefused ? <p className="font-medium">{m.merchant_credentialOfThisDeskMay()}</p> : null}
      </EndpointForm>
    </div>
  )
}

/** Creates another merchant, if the credential allows it, and only once the token of the one before is copied. */
export function CreateMerchant() {
  const isAsked = useSearchParams().has('new')
  const [created, setCreated] = useState<Created | null>(null)
  const [isCopied, setCopied] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const holdsToken = created?.token != null && !isCopied
  return (
    <section aria-labelledby="create-merchant" className="rounded-lg border border-line bg-surface">
      {holdsToken ? <LeaveGuard loses="token" /> : null}
      <div className="p-5 max-md:px-4">
        <div className="flex flex-wrap items-start justify-between gap-3">
          <div className="min-w-0 flex-1 basis-72">
            <h2 id="create-merchant" ref={heading} tabIndex={-1} className="font-semibold">
              {m.merchant_createAMerchant()}
            </h2>
            <p className="mt-0.5 text-ink-soft">{m.merchant_softwareVendorsCredentialMayMake()}</p>
          </div>
          {isAsked || holdsToken ? null : (
            <Link href="/merchant?new=1" scroll={false} className={buttonClasses()}>
              {m.merchant_createMerchant()}
            </Link>
          )}
        </div>
        {isAsked && !holdsToken ? (
          <MerchantForm
            onCreated={(made) => {
              setCreated(made)
              setCopied(false)
            }}
          />
        ) : null}
      </div>
      {created ? (
        <CreatedNotice
          key={created.token}
          created={created}
          onCopied={() => setCopied(true)}
          onDone={() => {
            setCreated(null)
            heading.current?.focus()
          }}
        />
      ) : null}
    </section>
  )
}
