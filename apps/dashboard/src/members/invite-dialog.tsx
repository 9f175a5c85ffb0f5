import { useState } from 'react'
import { client } from '../ground/client.js'
import { useScope } from '../ground/scope.js'
import { useAction } from '../ground/use-action.js'
import { Button } from '../parts/button.js'
import { Choice } from '../parts/choice.js'
import { AsCommand, quoted } from '../parts/command.js'
import { Dialog } from '../parts/dialog.js'
import { Field } from '../parts/field.js'
import { Form } from '../parts/form.js'
import { Problem } from '../parts/problem.js'
import { ROLES } from './member-table.js'

export function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const { organizationSlug: organization } = useScope()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<string>('member')
  const action = useAction(async () => {
    await client.call('createInvitation', {
      organization,
      email: email.trim(),
      role: role === 'admin' ? 'admin' : 'member',
      projects: [],
    })
    onClose()
  })
  return (
    <Dialog title="Invite somebody" isOpen isLocked={action.isPending} onClose={onClose}>
      <Form error={action.error} onSubmit={() => void action.run()}>
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
        />
        <Problem error={action.error} />
        <div className="actions">
          <Button isDisabled={action.isPending} onPress={onClose}>
            Cancel
          </Button>
          <Button look="primary" type="submit" isPending={action.isPending}>
            Send the invitation
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
