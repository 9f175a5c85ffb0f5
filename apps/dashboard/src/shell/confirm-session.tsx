import { client } from '../ground/client.js'
import { proofRequest } from '../ground/proof-request.js'
import { useScope } from '../ground/scope.js'
import { useAction } from '../ground/use-action.js'
import { Dialog } from '../parts/dialog.js'
import { FormActions } from '../parts/form-actions.js'
import { Form } from '../parts/form.js'
import { PasskeyButton } from '../parts/passkey-button.js'
import { ProofFields, useProof } from '../parts/proof.js'

/** Asks for the password or a passkey, over the page: what the user is about to do outlives the session. */
export function ConfirmSession() {
  const { user } = useScope()
  const proof = useProof()
  const action = useAction(async () => {
    await client.call('confirmSession', proof.input)
    proofRequest.settle(true)
  })
  const cancel = () => proofRequest.settle(false)
  return (
    <Dialog title="Confirm that it is you" isUnasked isLocked={action.isPending} onClose={cancel}>
      <p className="quiet">This outlives your session, and you signed in more than ten minutes ago.</p>
      {user?.sso ? (
        <p>
          <a href={`/auth/sso/${user.sso.connection_id}/start?return_to=${encodeURIComponent(here())}`}>
            Sign in through your identity provider again
          </a>
          , and repeat it. What you have typed here is lost.
        </p>
      ) : (
        <Form error={action.error} onSubmit={() => void action.run()}>
          <ProofFields proof={proof} autoFocus />
          {user?.second_factor === true && (
            <PasskeyButton call="confirmSession" onDone={() => proofRequest.settle(true)} />
          )}
          <FormActions action={action} onCancel={cancel}>
            Confirm
          </FormActions>
        </Form>
      )}
    </Dialog>
  )
}

function here(): string {
  return window.location.pathname + window.location.search
}
