import { useState } from 'react'
import { client } from '../ground/client.js'
import { useScope } from '../ground/scope.js'
import { useAction } from '../ground/use-action.js'
import { useInput } from '../ground/use-input.js'
import { Choice } from '../parts/choice.js'
import { AsCommand } from '../parts/command.js'
import { FormDialog } from '../parts/form-dialog.js'
import { Secret } from '../parts/secret.js'

const GRACES = [
  { id: '86400', text: 'For 1 more day', flag: '' },
  { id: '604800', text: 'For 7 more days', flag: ' --grace 7d' },
  {
    id: '0',
    text: 'No longer',
    hint: 'Choose this if it has leaked. Deliveries fail until the receiver has the new one.',
    flag: ' --immediately',
  },
] as const

interface Props {
  readonly id: string
  readonly onClose: () => void
}

/** Replaces the secret. Deliveries are signed with both during the grace period. */
export function RotateWebhookDialog({ id: webhook_id, onClose }: Props) {
  const { organizationSlug: organization, projectSlug: project } = useScope()
  const [grace, graceInput] = useInput<string>(GRACES[0].id)
  const [secret, setSecret] = useState<string>()
  const input = { organization, project, webhook_id, grace_seconds: Number(grace) }
  const action = useAction(async () => {
    setSecret((await client.call('rotateWebhook', input)).secret)
  })
  return (
    <FormDialog
      title={secret === undefined ? 'Rotate the secret' : 'The new secret'}
      action={action}
      verb="Rotate"
      look={grace === '0' ? 'danger primary' : 'primary'}
      result={secret && <Secret secret={secret} of="the secret" onSaved={onClose} />}
      onClose={onClose}
    >
      <p>
        Deliveries are signed with the new secret immediately. While they are signed with both, the receiver
        can change over at any time.
      </p>
      <Choice label="They are signed with the old one too" {...graceInput} options={GRACES} />
      <AsCommand
        bearing={`bearing --org ${organization} --project ${project} webhooks rotate ${webhook_id}${GRACES.find(({ id }) => id === grace)?.flag ?? ''}`}
        call={['rotateWebhook', input]}
      />
    </FormDialog>
  )
}
