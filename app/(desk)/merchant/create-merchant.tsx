'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'
import { EndpointForm } from '@/components/endpoint-form'
import { buttonClasses } from '@/components/ui/button'
import { keepMerchant } from '@/lib/browser/keep-merchant'
import { callAgainWhenProven } from '@/lib/browser/call-again-when-proven'
import { call } from '@/lib/browser/call'
import { readIdentity } from '@/lib/contract/read-identity'
import { merchantInput } from '@/lib/contract/merchants'
import * as words from '@/lib/words/merchant'
import { TextField } from '@/components/form/text-field'
import { useEndpointForm } from '@/components/form/use-endpoint-form'
import { Link } from '@/components/link'
import { type Created, CreatedNotice } from './created-notice'

type Typed = { name: string; isvHandle: string; metaData: string }

/** What is left empty is not sent; what is no JSON object stays text, so that the check can say so. */
function toBody({ name, isvHandle, metaData }: Typed): unknown {
  return {
    name,
    ...(isvHandle.trim() === '' ? {} : { isvHandle: isvHandle.trim() }),
    ...(metaData.trim() === '' ? {} : { metaData: readJson(metaData) }),
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The token that some services tell with a new merchant, and only then. */
function readToken(reply: unknown): string | null {
  if (typeof reply !== 'object' || reply === null) return null
  const { token }: { token?: unknown } = reply
  return typeof token === 'string' && token !== '' ? token : null
}

function MerchantForm({ onCreated }: { onCreated: (created: Created) => void }) {
  const router = useRouter()
  const state = useEndpointForm<Typed, unknown, unknown>({
    schema: merchantInput,
    defaults: { name: '', isvHandle: '', metaData: '' },
    fields: ['name', 'isvHandle', 'metaData'],
    toBody,
    send: async (body, idempotencyKey) => {
      const create = () => call('createMerchant', { body: merchantInput.parse(body), idempotencyKey })
      return (await callAgainWhenProven(create)).reply
    },
    onDone: (reply) => {
      onCreated({ ...readIdentity(reply), token: readToken(reply) })
      // The token is told below, once: the page stays where it is.
      router.replace(keepMerchant('/merchant'), { scroll: false })
      router.refresh()
    },
  })
  const { setFocus } = state.form
  // The button that opened it is gone, and the form may stand below what is in sight.
  useEffect(() => setFocus('name'), [setFocus])
  const isRefused = state.problem?.facts.code === 'upstream-forbidden'
  return (
    <div className="-mx-4 mt-4 -mb-12 md:-mx-8">
      <EndpointForm state={state} action={words.createMerchant} back="/merchant">
        <TextField form={state.form} name="name" label={words.name} required />
        <TextField form={state.form} name="isvHandle" label={words.isvHandle} hint={words.handleOfTheSoftwareVendor} />
        <TextField form={state.form} name="metaData" label={words.additionalData} hint={words.anythingToKeep} isLong />
        {isRefused ? <p className="font-medium">{words.credentialOfThisDeskMay}</p> : null}
      </EndpointForm>
    </div>
  )
}

/** Creating a further merchant, for those whose credential allows it. What was told only once stays until the page is left. */
export function CreateMerchant({ isOpen }: { isOpen: boolean }) {
  const [created, setCreated] = useState<Created | null>(null)
  return (
    <section aria-labelledby="create-merchant" className="rounded-lg border border-line bg-surface">
      <div className="p-5 max-md:px-4">
        <div className="flex flex-wrap items-start justify-between gap-3">
          <div className="min-w-0 flex-1 basis-72">
            <h2 id="create-merchant" className="font-semibold">
              {words.createAMerchant}
            </h2>
            <p className="mt-0.5 text-ink-soft">{words.softwareVendorsCredentialMayMake}</p>
          </div>
          {isOpen ? null : (
            <Link href="/merchant?new=1" scroll={false} className={buttonClasses()}>
              {words.createMerchant}
            </Link>
          )}
        </div>
        {isOpen ? <MerchantForm onCreated={setCreated} /> : null}
      </div>
      {created ? <CreatedNotice created={created} /> : null}
    </section>
  )
}
