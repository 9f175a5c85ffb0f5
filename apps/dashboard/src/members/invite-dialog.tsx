import { useState } from 'react'
import { client } from '../ground/client.js'
import { useScope } from '../ground/scope.js'
import { useAction } from '../ground/use-action.js'
import { Choice } from '../parts/choice.js'
import { AsCommand, quoted } from '../parts/command.js'
import { Field } from '../parts/field.js'
import { FormDialog } from '../parts/form-dialog.js'
import { ROLES } from './member-table.js'

export function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const { organizationSlug: organization } = useScope()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<string>('member')
  const input = {
    email: email.trim(),
    role: role === 'admin' ? ('admin' as const) : ('member' as const),
    projects: [],
  }
  const action = useAction(async () => {
    await client.call('createInvitation', { organization, ...input })
    onClose()
  })
  return (
    <FormDialog title="Invite a person" action={action} verb="Send the invitation" onClose={onClose}>
      <Field
        label="Email address"
        type="email"
        name="email"
        autoComplete="off"
        isRequired
        autoFocus
        value={email}
        onChange={setEmail}
      />
      <Choice label="Role" value={role} onChange={setRole} options={ROLES} />
      <AsCommand
        bearing={`bearing --org ${organization} invitations create ${quoted(email || 'ada@example.com')} --role ${role}`}
        call={['createInvitation', { organization, ...input }]}
      />
    </FormDialog>
  )
}
