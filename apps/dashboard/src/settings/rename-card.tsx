import type { CallInput } from '@bearing/client/call-types'
import type { Permission } from '@bearing/contracts/permission'
import { useNavigate } from '@tanstack/react-router'
import { addressOf } from '../ground/address-of.js'
import { client } from '../ground/client.js'
import { queryClient } from '../ground/query-client.js'
import { useScope, type Named } from '../ground/scope.js'
import { useAction } from '../ground/use-action.js'
import { useInput } from '../ground/use-input.js'
import { quoted } from '../parts/command.js'
import { Field } from '../parts/field.js'
import { Card } from '../parts/page.js'
import { SaveForm } from '../parts/save-form.js'

const PAGE = '/o/$organization/p/$project/settings/general'

/** Renames the project and the organization. */
export function RenameCard({
  organization,
  project,
}: {
  readonly organization: Named
  readonly project: Named
}) {
  const navigate = useNavigate()
  const show = async (slugs: readonly [organization: string, project: string]) => {
    await Promise.all(
      ['organizations', 'projects'].map((key) => queryClient.invalidateQueries({ queryKey: [key] })),
    )
    await navigate({ to: addressOf(PAGE, ...slugs), replace: true })
  }
  return (
    <Card
      title="Rename"
      about="A new slug changes every address. Gateways stop accepting the former slug within 30 seconds; it stays reserved for 30 days."
    >
      <RenameForm
        of="Project"
        named={project}
        permission="project-settings:change"
        bearing={`bearing --org ${organization.slug} projects rename ${project.slug}`}
        callOf={(change) => [
          'renameProject',
          { organization: organization.slug, project: project.slug, ...change },
        ]}
        onRenamed={(slug) => show([organization.slug, slug])}
      />
      <RenameForm
        of="Organization"
        named={organization}
        permission="organization:rename"
        bearing={`bearing organizations rename ${organization.slug}`}
        callOf={(change) => ['renameOrganization', { organization: organization.slug, ...change }]}
        onRenamed={(slug) => show([slug, project.slug])}
      />
    </Card>
  )
}

interface Props<Name extends 'renameProject' | 'renameOrganization'> {
  readonly of: 'Project' | 'Organization'
  readonly named: Named
  readonly permission: Permission
  readonly onRenamed: (slug: string) => Promise<void>
  /** The command without its flags. */
  readonly bearing: string
  readonly callOf: (change: Change) => readonly [Name, CallInput<Name>]
}

interface Change {
  readonly name?: string
  readonly slug?: string
}

function flagsOf(change: Change): string {
  return Object.entries(change)
    .map(([name, value]) => ` --${name} ${quoted(String(value))}`)
    .join('')
}

function RenameForm<Name extends 'renameProject' | 'renameOrganization'>({
  of,
  named,
  permission,
  onRenamed,
  bearing,
  callOf,
}: Props<Name>) {
  const { refused } = useScope()
  const [name, nameInput] = useInput(named.name)
  const [slug, slugInput] = useInput(named.slug)
  const change = {
    ...(name.trim() !== named.name && { name: name.trim() }),
    ...(slug.trim() !== named.slug && { slug: slug.trim() }),
  }
  const call = callOf(change)
  const action = useAction(async () => onRenamed((await client.call(...call)).slug))
  const field = { isRequired: true, isDisabled: refused(permission) !== undefined }
  return (
    <SaveForm
      save={{ ...action, call }}
      permission={permission}
      isDisabled={Object.keys(change).length === 0}
      verb={`Rename the ${of.toLowerCase()}`}
      bearing={`${bearing}${flagsOf(change)}`}
    >
      <div className="pair">
        <Field {...field} label={`${of} name`} name="name" {...nameInput} />
        <Field {...field} label={`${of} slug`} name="slug" {...slugInput} />
      </div>
    </SaveForm>
  )
}
