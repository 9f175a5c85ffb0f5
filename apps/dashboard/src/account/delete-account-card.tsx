import { useState } from 'react'
import { client } from '../ground/client.js'
import { useScope } from '../ground/scope.js'
import { useAction } from '../ground/use-action.js'
import { PermittedButton } from '../parts/button.js'
import { AsCommand, quoted } from '../parts/command.js'
import { Dialog } from '../parts/dialog.js'
import { Form } from '../parts/form.js'
import { FormActions } from '../parts/form-actions.js'
import { Card } from '../parts/page.js'
import { open } from '../ground/return-path.js'
import { ProofFields, useProof } from '../parts/proof.js'

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
          aria-haspopup="dialog"
          refused={refused('user:delete-self')}
          permission="user:delete-self"
          onPress={() => setAsked(true)}
        >
          Delete my account …
        </PermittedButton>
      </div>
      {isAsked && <DeleteDialog onClose={() => setAsked(false)} />}
    </Card>
  )
}

function DeleteDialog({ onClose }: { readonly onClose: () => void }) {
  const { user } = useScope()
  const proof = useProof()
  const action = useAction(async () => {
    await client.call('deleteOwnAccount', proof.input)
    open('/sign-in')
  })
  return (
    <Dialog title="Delete your account?" isOpen isAlert isLocked={action.isPending} onClose={onClose}>
      <Form error={action.error} onSubmit={() => void action.run()}>
        <p>
          The account of <strong>{user?.email}</strong> cannot be restored.
        </p>
        <ProofFields proof={proof} autoFocus />
        <AsCommand bearing={`bearing account delete --confirm ${quoted(user?.email ?? '')}`} />
        <FormActions action={action} onCancel={onClose} look="danger primary">
          Delete my account
        </FormActions>
      </Form>
    </Dialog>
  )
}
