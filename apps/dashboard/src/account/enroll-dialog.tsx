import { useState } from 'react'
import { client } from '../ground/client.js'
import { useAction } from '../ground/use-action.js'
import { useInput } from '../ground/use-input.js'
import { AsCommand } from '../parts/command.js'
import { CopyButton } from '../parts/copy-button.js'
import { Dialog } from '../parts/dialog.js'
import { Field } from '../parts/field.js'
import { FormActions } from '../parts/form-actions.js'
import { Form } from '../parts/form.js'
import { PasswordProof } from '../parts/proof.js'
import { Qr } from '../parts/qr.js'
import { RecoveryCodes } from './recovery-codes.js'

type Step =
  | { readonly at: 'password' }
  | { readonly at: 'code'; readonly secret: string; readonly uri: string }
  | { readonly at: 'codes'; readonly codes: readonly string[] }

/** Sets up an authenticator: password, QR code, first code, recovery codes. */
export function EnrollDialog({ onClose }: { readonly onClose: () => void }) {
  const [step, setStep] = useState<Step>({ at: 'password' })
  const [password, passwordInput, setPassword] = useInput('')
  const [code, codeInput] = useInput('')
  const begin = useAction(async () => {
    const { secret, uri } = await client.call('enrollTotp', { password })
    setPassword('')
    setStep({ at: 'code', secret, uri })
  })
  const confirm = useAction(async () => {
    const { recovery_codes } = await client.call('confirmTotp', { totp_code: code })
    setStep({ at: 'codes', codes: recovery_codes })
  })
  const isLocked = step.at === 'codes' || begin.isPending || confirm.isPending
  return (
    <Dialog
      title={step.at === 'codes' ? 'Save your recovery codes' : 'Set up an authenticator'}
      isLocked={isLocked}
      onClose={onClose}
    >
      {step.at === 'password' && (
        <Form error={begin.error} onSubmit={() => void begin.run()}>
          <PasswordProof
            {...passwordInput}
            hint="It prevents others from doing this in a browser that you left open."
            autoFocus
          />
          <AsCommand bearing="bearing totp enroll" />
          <FormActions action={begin} onCancel={onClose}>
            Continue
          </FormActions>
        </Form>
      )}
      {step.at === 'code' && (
        <Form error={confirm.error} onSubmit={() => void confirm.run()}>
          <p>Scan this with your authenticator app.</p>
          <Qr text={step.uri} label="QR code for your authenticator app" />
          <details>
            <summary>It cannot scan</summary>
            <p className="row">
              Type in: <code>{step.secret}</code> <CopyButton text={step.secret} of="the key" />
            </p>
          </details>
          <Field
            label="The code that it shows now"
            name="totp_code"
            inputMode="numeric"
            autoComplete="one-time-code"
            isRequired
            autoFocus
            {...codeInput}
          />
          <AsCommand bearing="bearing totp confirm" />
          <FormActions action={confirm} onCancel={onClose}>
            Continue
          </FormActions>
        </Form>
      )}
      {step.at === 'codes' && <RecoveryCodes codes={step.codes} onSaved={onClose} />}
    </Dialog>
  )
}
