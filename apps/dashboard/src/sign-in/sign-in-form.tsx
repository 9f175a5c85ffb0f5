import { ProblemError } from '@bearing/client/errors'
import { useState } from 'react'
import { client } from '../ground/client.js'
import { useAction } from '../ground/use-action.js'
import { useInput } from '../ground/use-input.js'
import { Button } from '../parts/button.js'
import { Field } from '../parts/field.js'
import { Form } from '../parts/form.js'
import { PasskeyButton } from '../parts/passkey-button.js'
import { Problem } from '../parts/problem.js'

type Step = 'password' | 'totp' | 'recovery'

interface Props {
  readonly email: string
  readonly onSignedIn: () => void
  /** Leads back to the field for the address. */
  readonly onOtherEmail?: () => void
}

/** Asks for the password, and for the second factor of those who have one. Both stay in this component. */
export function SignInForm({ email, onSignedIn, onOtherEmail }: Props) {
  const [step, setStep] = useState<Step>('password')
  const [password, passwordInput] = useInput('')
  const [code, setCode] = useState('')
  const action = useAction(async () => {
    try {
      await client.call('startSession', {
        email,
        password,
        ...(step === 'totp' && { totp_code: code }),
        ...(step === 'recovery' && { recovery_code: code }),
      })
    } catch (error) {
      if (error instanceof ProblemError && error.code === 'second_factor_needed') {
        setStep('totp')
        return
      }
      throw error
    }
    onSignedIn()
  })
  return (
    <Form error={action.error} onSubmit={() => void action.run()}>
      {step === 'password' ? (
        <>
          <Field
            label="Email address"
            type="email"
            name="email"
            autoComplete="username"
            value={email}
            isReadOnly
          />
          <Field
            label="Password"
            type="password"
            name="password"
            autoComplete="current-password"
            isRequired
            autoFocus
            {...passwordInput}
          />
        </>
      ) : (
        <SecondFactor key={step} step={step} code={code} onCode={setCode} />
      )}
      <Problem error={action.error} />
      <Button look="primary wide" type="submit" isPending={action.isPending}>
        {action.isPending ? 'Signing in …' : 'Sign in'}
      </Button>
      {step !== 'password' && (
        <PasskeyButton call="startSession" input={{ email, password }} onDone={onSignedIn} />
      )}
      <div className="row spread">
        {step === 'password' ? (
          <a href="/password-reset">Forgot your password?</a>
        ) : (
          <Button
            look="plain"
            onPress={() => {
              setStep(step === 'totp' ? 'recovery' : 'totp')
              setCode('')
              action.reset()
            }}
          >
            {step === 'totp' ? 'Use a recovery code' : 'Use the authenticator'}
          </Button>
        )}
        {onOtherEmail && (
          <Button look="plain" onPress={onOtherEmail}>
            Other address
          </Button>
        )}
      </div>
    </Form>
  )
}

function SecondFactor({
  step,
  code,
  onCode,
}: {
  readonly step: Step
  readonly code: string
  readonly onCode: (code: string) => void
}) {
  return step === 'totp' ? (
    <Field
      label="Code of your authenticator"
      name="totp_code"
      inputMode="numeric"
      autoComplete="one-time-code"
      hint="Six digits, from the app that you set up."
      isRequired
      autoFocus
      value={code}
      onChange={onCode}
    />
  ) : (
    <Field
      label="Recovery code"
      name="recovery_code"
      autoComplete="off"
      hint="One of the ten codes that you saved. Each works once."
      isRequired
      autoFocus
      value={code}
      onChange={onCode}
    />
  )
}
