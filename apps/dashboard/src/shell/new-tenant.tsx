import { useNavigate } from '@tanstack/react-router'
import { addressOf } from '../ground/address-of.js'
import { asked } from '../ground/asked.js'
import { client } from '../ground/client.js'
import { rereadTenants } from '../ground/reread-tenants.js'
import { useNearScope } from '../ground/scope.js'
import { useAction } from '../ground/use-action.js'
import { useInput } from '../ground/use-input.js'
import { AsCommand, quoted } from '../parts/command.js'
import { Field } from '../parts/field.js'
import { FormDialog } from '../parts/form-dialog.js'

/** The dialog that creates a project or an organization. */
export function NewTenant({ kind }: { readonly kind: 'project' | 'organization' }) {
  const { organization, organizationSlug } = useNearScope()
  const [name, nameInput] = useInput('')
  const [slug, slugInput] = useInput('')
  const navigate = useNavigate()
  const isProject = kind === 'project'
  const input = { name: name.trim(), ...(slug.trim() !== '' && { slug: slug.trim() }) }
  const action = useAction(async () => {
    if (isProject) {
      const created = await client.call('createProject', { organization: organizationSlug, ...input })
      await rereadTenants()
      asked.set(undefined)
      await navigate({
        to: addressOf('/o/$organization/p/$project/settings/project-key', organizationSlug, created.slug),
      })
      return
    }
    const created = await client.call('createOrganization', input)
    await rereadTenants({ id: created.id, isThere: true })
    await navigate({ to: `/app/o/${created.slug}` })
    asked.set('project')
  })
  const example = { ...input, name: input.name || (isProject ? 'Sensors' : 'Acme') }
  const command = isProject ? `bearing --org ${organizationSlug} projects` : 'bearing organizations'
  return (
    <FormDialog
      title={`New ${kind}`}
      verb={`Create ${kind}`}
      action={action}
      onClose={() => asked.set(undefined)}
    >
      <p className="quiet">
        {isProject
          ? `In ${organization?.name ?? ''}. Devices send data to a project; it gets its project key immediately.`
          : 'You become its admin. Members, tokens and rules of an organization hold for all of its projects.'}
      </p>
      <Field label="Name" name="name" isRequired autoFocus {...nameInput} />
      <Field
        label="Slug"
        name="slug"
        hint="In addresses and commands. Left empty, it is made from the name."
        {...slugInput}
      />
      <AsCommand
        bearing={`${command} create ${quoted(example.name)}${input.slug === undefined ? '' : ` --slug ${input.slug}`}`}
        {...(isProject
          ? { call: ['createProject', { organization: organizationSlug, ...example }] as const }
          : { call: ['createOrganization', example] as const })}
      />
    </FormDialog>
  )
}
