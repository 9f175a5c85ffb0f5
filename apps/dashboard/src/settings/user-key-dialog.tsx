import { useState } from 'react'
import { codeInput } from '../account/code-input.js'
import { client } from '../ground/client.js'
import { useScope } from '../ground/scope.js'
import { useAction } from '../ground/use-action.js'
import { Dialog } from '../parts/dialog.js'
import { Field } from '../parts/field.js'
import { Form } from '../parts/form.js'
import { FormActions } from '../parts/form-actions.js'
import { Secret } from '../parts/secret.js'
import { EXPIRIES, ExpirySelect, expiryOf } from '../tokens/expiry-select.js'

/** Creates the API key and shows it, once. */
export function UserKeyDialog({
  isReplacing,
  onClose,
}: {
  readonly isReplacing: boolean
  readonly onClose: () => void
}) {
  const { user } = useScope()
  const [expiry, setExpiry] = useState<string>(EXPIRIES.never)
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [secret, setSecret] = useState<string>()
  const needsProof = user?.second_factor === true
  const action = useAction(async () => {
    const expires_at = expiryOf(expiry, Date.now())
    const { api_key } = await client.call('cycleUserKey', {
      ...(expires_at !== undefined && { expires_at }),
      ...(needsProof && { password, ...codeInput(code) }),
    })
    setSecret(api_key)
  })
  return (
    <Dialog
      title={
        secret === undefined ? (isReplacing ? 'Replace your API key' : 'Create your API key') : 'Your API key'
      }
      isOpen
      isLocked={action.isPending || secret !== undefined}
      onClose={onClose}
    >
      {secret !== undefined ? (
        <Secret secret={secret} of="the API key" onSaved={onClose} />
      ) : (
        <Form error={action.error} onSubmit={() => void action.run()}>
          {isReplacing && <p>The key that you have stops working immediately.</p>}
          <ExpirySelect value={expiry} onChange={setExpiry} />
          {needsProof && (
            <>
              <Field
                label="Your password"
                name="password"
                type="password"
                autoComplete="current-password"
                isRequired
                value={password}
                onChange={setPassword}
              />
              <Field
                label="Code of your authenticator, or a recovery code"
                name="totp_code"
                autoComplete="one-time-code"
                isRequired
                value={code}
                onChange={setCode}
              />
            </>
          )}
          <FormActions action={action} onCancel={onClose}>
            {isReplacing ? 'Replace the key' : 'Create the key'}
          </FormActions>
        </Form>
      )}
    </Dialog>
  )
}
