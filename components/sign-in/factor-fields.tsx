'use client'

import { useState } from 'react'
import type { FactorProof } from '@/lib/domain/second-factor'
import { InputField } from '../ui/field'
import * as m from '@/lib/messages/m'

/** The field of a form for a code; its value is read with `readFactorProof`. */
export function FactorCodeField({
  id,
  error,
  isFirst = false,
}: {
  id: string
  error: string | null
  isFirst?: boolean
}) {
  const [isRecovery, setRecovery] = useState(false)
  const hint = isRecovery ? m.secondFactor_recoveryHint() : m.secondFactor_codeHint()
  return (
    <div className="grid gap-2">
      <InputField
        key={isRecovery ? 'recovery' : 'code'}
        id={id}
        label={isRecovery ? m.secondFactor_recoveryCode() : m.secondFactor_code()}
        hint={hint}
        error={error}
        name={isRecovery ? 'recoveryCode' : 'code'}
        inputMode={isRecovery ? 'text' : 'numeric'}
        autoComplete={isRecovery ? 'off' : 'one-time-code'}
        autoCapitalize="none"
        spellCheck={false}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page or dialog asks for this alone
        autoFocus={isFirst}
        required
        maxLength={60}
      />
      <button
        type="button"
        className="min-h-6 justify-self-start text-[0.8125rem] font-medium text-accent-ink underline underline-offset-2"
        onClick={() => setRecovery(!isRecovery)}
      >
        {isRecovery ? m.secondFactor_takeAppCode() : m.secondFactor_takeRecoveryCode()}
      </button>
    </div>
  )
}

/** Sixteen letters and digits, such as `ABCD-EFGH-IJKL-MNOP`; a code of an app is six digits. */
const RECOVERY_CODE = /^\s*[a-z2-7]{4}(?:[\s-]*[a-z2-7]{4}){3}\s*$/iu

/** What was typed into `FactorCodeField`; a recovery code also where the app's was asked for. */
export function readFactorProof({ code, recoveryCode = '' }: Record<string, string>): FactorProof {
  if (code === undefined) return { recoveryCode }
  return RECOVERY_CODE.test(code) ? { recoveryCode: code } : { code }
}
