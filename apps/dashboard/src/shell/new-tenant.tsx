import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { addressOf } from '../ground/address-of.js'
import { asked } from '../ground/asked.js'
import { client } from '../ground/client.js'
import { rereadTenants } from '../ground/reread-tenants.js'
import { useNearScope } from '../ground/scope.js'
import { useAction } from '../ground/use-action.js'
import { AsCommand, quoted } from '../parts/command.js'
import { Field } from '../parts/field.js'
import { FormDialog } from '../parts/form-dialog.js'

const SLUG_HINT = 'In addresses and commands. Left empty, it is made from the name.'

/** The dialog that creates a project or an organization. */
export function NewTenant({ kind }: { readonly kind: 'project' | 'organization' }) {
  return kind === 'project' ? <NewProject /> : <NewOrganization />
}

function NewProject() {
  const { organization, organizationSlug } = useNearScope()
  const [name, setName] = useState('')
  const [slug, setSlug] = useState('')
  const navigate = useNavigate()
  const input = { name: name.trim(), ...(slug.trim() !== '' && { slug: slug.trim() }) }
  const action = useAction(async () => {
    const created = await client.call('createProject', { organization: organizationSlug, ...input })
    await rereadTenants()
    asked.set(undefined)
    await navigate({
      to: addressOf('/o/$organization/p/$project/settings/project-key', organizationSlug, created.slug),
    })
  })
  return (
    <FormDialog
      title="New project"
      verb="Create project"
      action={action}
      onClose={() => asked.set(undefined)}
    >
      <p className="quiet">
        In {organization?.name}. Devices send data to a project; it gets its project key immediately.
      </p>
      <Names name={name} slug={slug} onName={setName} onSlug={setSlug} />
      <AsCommand
        bearing={`bearing --org ${organizationSlug} projects create ${quoted(input.name || 'Sensors')}${input.slug === undefined ? '' : ` --slug ${input.slug}`}`}
        call={['createProject', { organization: organizationSlug, ...input, name: input.name || 'Sensors' }]}
      />
    </FormDialog>
  )
}

function NewOrganization() {
  const [name, setName] = useState('')
  const [slug, setSlug] = useState('')
  const navigate = useNavigate()
  const input = { name: name.trim(), ...(slug.trim() !== '' && { slug: slug.trim() }) }
  const action = useAction(async () => {
    const created = await client.call('createOrganization', input)
    await rereadTenants({ id: created.id, isThere: true })
    await navigate({ to: `/app/o/${created.slug}` })
    asked.set('project')
  })
  return (
    <FormDialog
      title="New organization"
      verb="Create organization"
      action={action}
      onClose={() => asked.set(undefined)}
    >
      <p className="quiet">
        You become its admin. Members, tokens and rules of an organization hold for all of its projects.
      </p>
      <Names name={name} slug={slug} onName={setName} onSlug={setSlug} />
      <AsCommand
        bearing={`bearing organizations create ${quoted(input.name || 'Acme')}${input.slug === undefined ? '' : ` --slug ${input.slug}`}`}
        call={['createOrganization', { ...input, name: input.name || 'Acme' }]}
      />
    </FormDialog>
  )
}

function Names({
  name,
  slug,
  onName,
  onSlug,
}: {
  readonly name: string
  readonly slug: string
  readonly onName: (name: string) => void
  readonly onSlug: (slug: string) => void
}) {
  return (
    <>
      <Field label="Name" name="name" isRequired autoFocus value={name} onChange={onName} />
      <Field label="Slug" name="slug" hint={SLUG_HINT} value={slug} onChange={onSlug} />
    </>
  )
}
