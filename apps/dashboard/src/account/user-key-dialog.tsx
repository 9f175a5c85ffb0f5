import { useState } from 'react'
import { client } from '../ground/client.js'
import { useScope } from '../ground/scope.js'
import { useAction } from '../ground/use-action.js'
import { useInput } from '../ground/use-input.js'
import { AsCommand } from '../parts/command.js'
import { FormDialog } from '../parts/form-dialog.js'
import { EXPIRIES, ExpirySelect, expiryOf } from '../parts/lifetimes.js'
import { ProofFields, useProof } from '../parts/proof.js'
import { Secret } from '../parts/secret.js'

/** Creates the API key and shows it, once. */
export function UserKeyDialog({
  isReplacing,
  onClose,
}: {
  readonly isReplacing: boolean
  readonly onClose: () => void
}) {
  const { user } = useScope()
  const [expiry, expiryInput] = useInput<string>(EXPIRIES.never)
  const proof = useProof()
  const [secret, setSecret] = useState<string>()
  const needsProof = user?.second_factor === true
  const [openedAt] = useState(() => Date.now())
  const ends = (nowMs: number) => {
    const expires_at = expiryOf(expiry, nowMs)
    return expires_at === undefined ? {} : { expires_at }
  }
  const action = useAction(async () => {
    const input = { ...ends(Date.now()), ...(needsProof && proof.input) }
    const { api_key } = await client.call('cycleUserKey', input)
    setSecret(api_key)
  })
  return (
    <FormDialog
      title={
        secret === undefined ? (isReplacing ? 'Replace your API key' : 'Create your API key') : 'Your API key'
      }
      action={action}
      verb={isReplacing ? 'Replace the key' : 'Create the key'}
      result={secret && <Secret secret={secret} of="the API key" onSaved={onClose} />}
      onClose={onClose}
    >
      {isReplacing && <p>The key that you have stops working immediately.</p>}
      <ExpirySelect {...expiryInput} />
      {needsProof && <ProofFields proof={proof} />}
      <AsCommand
        bearing={`bearing user-key create${expiry === EXPIRIES.never ? '' : ` --expires-in ${expiry}d`}${needsProof ? ' --second-factor' : ''}`}
        // A password has no place in a command: the command line asks for it.
        {...(!needsProof && { call: ['cycleUserKey', ends(openedAt)] as const })}
      />
    </FormDialog>
  )
}
