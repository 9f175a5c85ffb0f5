import { client } from '../ground/client.js'
import { rereadTenants } from '../ground/reread-tenants.js'
import { useAction } from '../ground/use-action.js'
import { useInput } from '../ground/use-input.js'
import { AsCommand } from '../parts/command.js'
import { FormDialog } from '../parts/form-dialog.js'
import { TypedField } from '../parts/typed-field.js'
import { StopsInOrganization, StopsInProject } from './stops.js'

/** An organization, or a project of it. */
export interface Tenant {
  readonly id: string
  readonly kind: 'organization' | 'project'
  /** Slug of the organization. */
  readonly organization: string
  /** Slug of what is deleted. */
  readonly slug: string
  readonly name: string
}

/** Deletes an organization or a project, after its slug was typed. */
export function DeleteDialog({
  tenant,
  onDeleted,
  onClose,
}: {
  readonly tenant: Tenant
  readonly onDeleted: () => void
  readonly onClose: () => void
}) {
  const { id, kind, organization, slug, name } = tenant
  const [typed, typedInput] = useInput('')
  const action = useAction(async () => {
    if (kind === 'organization') {
      await client.call('deleteOrganization', { organization })
      await rereadTenants({ id, isThere: false })
      onDeleted()
      return
    }
    await client.call('deleteProject', { organization, project_slug: slug })
    onDeleted()
    await rereadTenants()
  })
  return (
    <FormDialog
      title={`Delete ${name}?`}
      isAlert
      action={action}
      verb={`Delete the ${kind}`}
      look="danger primary"
      isDisabled={typed.trim() !== slug}
      onClose={onClose}
    >
      <p>
        Every credential of the {kind} stops within a second. Its data is kept for some days, and until then
        an admin can restore it as it is now.
      </p>
      {kind === 'organization' ? (
        <StopsInOrganization organization={organization} />
      ) : (
        <StopsInProject organization={organization} project={slug} />
      )}
      <TypedField word={slug} {...typedInput} />
      <AsCommand
        bearing={
          kind === 'organization'
            ? `bearing organizations delete ${slug}`
            : `bearing --org ${organization} projects delete ${slug}`
        }
        {...(kind === 'organization'
          ? { call: ['deleteOrganization', { organization }] as const }
          : { call: ['deleteProject', { organization, project_slug: slug }] as const })}
      />
    </FormDialog>
  )
}
