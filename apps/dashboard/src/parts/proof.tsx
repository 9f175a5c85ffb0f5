import { useState } from 'react'
import { useScope } from '../ground/scope.js'
import { Field } from './field.js'
import { codeInput } from './code-input.js'

/** Proof that it is really the user who changes a credential. */
export interface Proof {
  /** As the API takes it. */
  readonly input: { readonly password: string } & Partial<ReturnType<typeof codeInput>>
  readonly password: string
  readonly setPassword: (password: string) => void
  /** Undefined if the user has no second factor. */
  readonly code: string | undefined
  readonly setCode: (code: string) => void
}

/** Keeps the password and the code in the component that asks for them. */
export function useProof(): Proof {
  const { user } = useScope()
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const hasSecondFactor = user?.second_factor === true
  return {
    input: { password, ...(hasSecondFactor && codeInput(code)) },
    password,
    setPassword,
    code: hasSecondFactor ? code : undefined,
    setCode,
  }
}

/** Asks for the password, and for a code if the user has a second factor. */
export function ProofFields({
  proof,
  autoFocus = false,
}: {
  readonly proof: Proof
  readonly autoFocus?: boolean
}) {
  return (
    <>
      <PasswordProof value={proof.password} onChange={proof.setPassword} autoFocus={autoFocus} />
      {proof.code !== undefined && <CodeProof value={proof.code} onChange={proof.setCode} />}
    </>
  )
}

interface FieldProps {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly autoFocus?: boolean
  readonly hint?: string
}

export function PasswordProof(props: FieldProps) {
  return (
    <Field
      label="Your password"
      name="password"
      type="password"
      autoComplete="current-password"
      isRequired
      {...props}
    />
  )
}

export function CodeProof(props: FieldProps) {
  return (
    <Field
      label="Code of your authenticator, or a recovery code"
      name="totp_code"
      autoComplete="one-time-code"
      isRequired
      {...props}
    />
  )
}
