import { useState } from 'react'
import { client } from '../ground/client.js'
import { useScope } from '../ground/scope.js'
import { useAction } from '../ground/use-action.js'
import { PermittedButton } from '../parts/button.js'
import { Dialog } from '../parts/dialog.js'
import { Field } from '../parts/field.js'
import { Form } from '../parts/form.js'
import { FormActions } from '../parts/form-actions.js'
import { Card } from '../parts/page.js'
import { open } from '../sign-in/return-path.js'
import { codeInput } from './code-input.js'

export function DeleteAccountCard() {
  const { refused } = useScope()
  const [isAsked, setAsked] = useState(false)
  return (
    <Card
      title="Delete the account"
      about="Your API key, password and memberships end. Tokens that you created stay: they are their organizations'."
    >
      <div>
        <PermittedButton
          look="danger"
          refused={refused('user:delete-self')}
          permission="user:delete-self"
          onPress={() => {
            setAsked(true)
          }}
        >
          Delete my account …
        </PermittedButton>
      </div>
      {isAsked && (
        <DeleteDialog
          onClose={() => {
            setAsked(false)
          }}
        />
      )}
    </Card>
  )
}

function DeleteDialog({ onClose }: { readonly onClose: () => void }) {
  const { user } = useScope()
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const action = useAction(async () => {
    await client.call('deleteOwnAccount', { password, ...(code !== '' && codeInput(code)) })
    open('/sign-in')
  })
  return (
    <Dialog title="Delete your account?" isOpen isAlert isLocked={action.isPending} onClose={onClose}>
      <Form error={action.error} onSubmit={() => void action.run()}>
        <p>
          The account of <strong>{user?.email}</strong> cannot be restored.
        </p>
        <Field
          label="Your password"
          name="password"
          type="password"
          autoComplete="current-password"
          isRequired
          autoFocus
          value={password}
          onChange={setPassword}
        />
        {user?.second_factor === true && (
          <Field
            label="Code of your authenticator, or a recovery code"
            name="totp_code"
            autoComplete="one-time-code"
            isRequired
            value={code}
            onChange={setCode}
          />
        )}
        <FormActions action={action} onCancel={onClose} look="danger primary">
          Delete my account
        </FormActions>
      </Form>
    </Dialog>
  )
}
