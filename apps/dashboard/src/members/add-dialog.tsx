import type { ProjectRole } from '@bearing/contracts/principal'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { makeCall, listing } from '../ground/calling.js'
import { client } from '../ground/client.js'
import { useScope } from '../ground/scope.js'
import { useAction } from '../ground/use-action.js'
import { useInput } from '../ground/use-input.js'
import { Choice } from '../parts/choice.js'
import { AsCommand, quoted } from '../parts/command.js'
import { Field } from '../parts/field.js'
import { FormDialog } from '../parts/form-dialog.js'
import { CHANGED, ROLES } from './roles.js'

/** The most members that are offered; others are found when the form is sent. */
const OFFERED = 1_000

/** Gives a member of the organization a role in the project. */
export function AddDialog({ onClose }: { readonly onClose: () => void }) {
  const { organizationSlug: organization, projectSlug: project } = useScope()
  const members = useQuery(
    listing(['members', organization], 'listMembers', { organization, per_page: OFFERED }),
  )
  const [email, emailInput] = useInput('')
  const [role, roleInput] = useInput<ProjectRole>('member')
  const [unknown, setUnknown] = useState<string>()
  const action = useAction(async () => {
    setUnknown(undefined)
    const wanted = email.trim().toLowerCase()
    const isWanted = (member: { readonly email: string }) => member.email === wanted
    const found =
      members.data?.find(isWanted) ?? (await client.listAll('listMembers', { organization })).find(isWanted)
    if (!found) {
      setUnknown(wanted)
      return
    }
    const { user_id } = found
    await makeCall('setProjectMember', { organization, project, user_id, role }, ...CHANGED)
    onClose()
  })
  return (
    <FormDialog title="Add a member to the project" action={action} verb="Add" onClose={onClose}>
      <Field
        label="Email address"
        name="user_id"
        hint="Of a member of the organization. A role that they have here is replaced."
        autoComplete="off"
        suggestions={members.data?.map((member) => member.email) ?? []}
        isRequired
        autoFocus
        {...emailInput}
      />
      {unknown !== undefined && (
        <p className="mistake" role="alert">
          {unknown} is no member of the organization.{' '}
          <Link to={`/app/o/${organization}/admin/members`}>An admin invites them</Link> first.
        </p>
      )}
      <Choice label="Role" {...roleInput} options={ROLES} />
      <AsCommand
        bearing={`bearing --org ${organization} --project ${project} project-members set ${quoted(email || 'ada@example.com')} ${role}`}
        call={[
          'setProjectMember',
          {
            ...{ organization, project, role },
            user_id:
              members.data?.find((member) => member.email === email.trim().toLowerCase())?.user_id ?? '',
          },
        ]}
      />
    </FormDialog>
  )
}
