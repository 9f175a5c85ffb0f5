import { client } from '../ground/client.js'
import { open } from '../ground/return-path.js'
import { useScope } from '../ground/scope.js'
import { useAction } from '../ground/use-action.js'
import { AsCommand, quoted } from '../parts/command.js'
import { DialogButton } from '../parts/dialog-button.js'
import { FormDialog } from '../parts/form-dialog.js'
import { Card } from '../parts/page.js'
import { ProofFields, useProof } from '../parts/proof.js'

export function DeleteAccountCard() {
  return (
    <Card
      title="Delete the account"
      about="Your API key, password and memberships end. Tokens that you created stay: they are their organizations'."
    >
      <div>
        <DialogButton
          look="danger"
          permission="user:delete-self"
          dialog={(close) => <DeleteDialog onClose={close} />}
        >
          Delete my account …
        </DialogButton>
      </div>
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
    <FormDialog
      title="Delete your account?"
      isAlert
      action={action}
      verb="Delete my account"
      look="danger primary"
      onClose={onClose}
    >
      <p>
        The account of <strong>{user?.email}</strong> cannot be restored.
      </p>
      <ProofFields proof={proof} autoFocus />
      <AsCommand bearing={`bearing account delete --confirm ${quoted(user?.email ?? '')}`} />
    </FormDialog>
  )
}
