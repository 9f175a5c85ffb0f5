import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../ground/client.js'
import { projectsOf } from '../ground/queries.js'
import { useScope } from '../ground/scope.js'
import { useAction } from '../ground/use-action.js'
import { AsCommand, quoted } from '../parts/command.js'
import { Dialog } from '../parts/dialog.js'
import { Field } from '../parts/field.js'
import { Form } from '../parts/form.js'
import { FormActions } from '../parts/form-actions.js'
import { Secret } from '../parts/secret.js'
import { Time } from '../parts/time.js'
import type { LegacyToken } from './legacy-token.js'

/** Creates the organization auth token that takes the place of a legacy one: the same project, and locations only. */
export function ReplaceDialog({
  token,
  onClose,
}: {
  readonly token: LegacyToken
  readonly onClose: () => void
}) {
  const { organizationSlug: organization } = useScope()
  const [description, setDescription] = useState(
    token.description || `Replaces legacy token ${token.id.slice(0, 8)}`,
  )
  const projects = useQuery(projectsOf(organization))
  const { project_id } = token
  const project =
    project_id === null ? undefined : (projects.data?.find(({ id }) => id === project_id)?.slug ?? project_id)
  const [secret, setSecret] = useState<string>()
  const input = {
    ...{ organization, description: description.trim(), permissions: ['location:resolve' as const] },
    ...(project_id !== null && { project_ids: [project_id] }),
  }
  const action = useAction(async () => {
    setSecret((await client.call('createOrganizationToken', input)).token)
  })
  return (
    <Dialog
      title={secret === undefined ? 'Replace the legacy token' : `The token “${description.trim()}”`}
      isOpen
      isLocked={action.isPending || secret !== undefined}
      onClose={onClose}
    >
      {secret !== undefined ? (
        <Secret secret={secret} of="the token" onSaved={onClose}>
          <p className="quiet">
            Send it in the same header. The legacy token works until <Time at={token.sunset_at} />: delete it
            once “Last used” stays still.
          </p>
        </Secret>
      ) : (
        <Form error={action.error} onSubmit={() => void action.run()}>
          <p>
            Creates an organization auth token that asks for locations{' '}
            {token.project_id === null ? 'of every project' : 'of the same project'}, and for nothing else.
            The legacy token keeps working meanwhile.
          </p>
          <Field
            label="Description"
            name="description"
            isRequired
            autoFocus
            maxLength={256}
            value={description}
            onChange={setDescription}
          />
          <AsCommand
            bearing={`bearing --org ${organization} org-tokens create --description ${quoted(description)} --permission location:resolve${project === undefined ? '' : ` --project ${project}`}`}
            call={['createOrganizationToken', input]}
          />
          <FormActions action={action} onCancel={onClose}>
            Create the token
          </FormActions>
        </Form>
      )}
    </Dialog>
  )
}
