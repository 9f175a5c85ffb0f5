import { DEFAULT_GRACE_SECONDS } from '@bearing/contracts/primitives'
import { useState } from 'react'
import { client } from '../ground/client.js'
import { useScope } from '../ground/scope.js'
import { useAction } from '../ground/use-action.js'
import { useInput } from '../ground/use-input.js'
import { Choice } from '../parts/choice.js'
import { AsCommand } from '../parts/command.js'
import { FormDialog } from '../parts/form-dialog.js'
import { GRACES } from '../parts/lifetimes.js'
import { Secret } from '../parts/secret.js'
import type { Token } from './token-list.js'
import { withUnseen } from './with-unseen.js'

/** Replaces a token. Both work during the grace period; then the old one ends. */
export function RotateTokenDialog({
  token,
  onUnseen,
  onClose,
}: {
  readonly token: Token
  readonly onUnseen: (tokens: readonly Token[]) => void
  readonly onClose: () => void
}) {
  const { organizationSlug: organization } = useScope()
  const [grace, graceInput] = useInput(String(DEFAULT_GRACE_SECONDS))
  const [secret, setSecret] = useState<string>()
  const input = { organization, organization_token_id: token.id, grace_seconds: Number(grace) }
  const action = useAction(async () => {
    const isCreated = ({ replaces }: Token) => replaces === token.id
    const rotate = () => client.call('rotateOrganizationToken', input)
    setSecret((await withUnseen(organization, isCreated, onUnseen, rotate)).token)
  })
  return (
    <FormDialog
      title={secret === undefined ? `Rotate “${token.description}”` : `The new token “${token.description}”`}
      action={action}
      verb={action.isPending ? 'Rotating …' : 'Rotate'}
      result={
        secret && (
          <Secret secret={secret} of="the token" onSaved={onClose}>
            <p className="quiet">
              {grace === '0'
                ? 'The old token has stopped.'
                : 'The list shows both tokens, when the old one ends, and who still uses it.'}
            </p>
          </Secret>
        )
      }
      onClose={onClose}
    >
      <p>The new token may do the same as the old one, and ends no later.</p>
      <Choice label="The old token" {...graceInput} options={GRACES} />
      <AsCommand
        bearing={`bearing --org ${organization} org-tokens rotate ${token.id}${GRACES.find(({ id }) => id === grace)?.flag ?? ''}`}
        call={['rotateOrganizationToken', input]}
      />
    </FormDialog>
  )
}
