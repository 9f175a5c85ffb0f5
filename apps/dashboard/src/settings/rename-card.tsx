import type { Permission } from '@bearing/contracts/permission'
import { useNavigate } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { addressOf } from '../ground/address-of.js'
import { client } from '../ground/client.js'
import { queryClient } from '../ground/query-client.js'
import { useScope, type Named } from '../ground/scope.js'
import { useAction } from '../ground/use-action.js'
import { PermittedButton } from '../parts/button.js'
import { AsCommand, quoted } from '../parts/command.js'
import { Field } from '../parts/field.js'
import { Form } from '../parts/form.js'
import { Card } from '../parts/page.js'
import { Problem } from '../parts/problem.js'

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
        command={(change) => (
          <AsCommand
            bearing={`bearing --org ${organization.slug} projects rename ${project.slug}${flagsOf(change)}`}
            call={['renameProject', { organization: organization.slug, project: project.slug, ...change }]}
          />
        )}
        onRename={async (change) => {
          const input = { organization: organization.slug, project: project.slug }
          const { slug } = await client.call('renameProject', { ...input, ...change })
          await show([organization.slug, slug])
        }}
      />
      <RenameForm
        of="Organization"
        named={organization}
        permission="organization:rename"
        command={(change) => (
          <AsCommand
            bearing={`bearing organizations rename ${organization.slug}${flagsOf(change)}`}
            call={['renameOrganization', { organization: organization.slug, ...change }]}
          />
        )}
        onRename={async (change) => {
          const input = { organization: organization.slug }
          const { slug } = await client.call('renameOrganization', { ...input, ...change })
          await show([slug, project.slug])
        }}
      />
    </Card>
  )
}

interface Props {
  readonly of: 'Project' | 'Organization'
  readonly named: Named
  readonly permission: Permission
  readonly onRename: (change: Change) => Promise<void>
  /** The same as a command. */
  readonly command: (change: Change) => ReactNode
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

function RenameForm({ of, named, permission, onRename, command }: Props) {
  const { refused } = useScope()
  const [name, setName] = useState(named.name)
  const [slug, setSlug] = useState(named.slug)
  const change = {
    ...(name.trim() !== named.name && { name: name.trim() }),
    ...(slug.trim() !== named.slug && { slug: slug.trim() }),
  }
  const action = useAction(() => onRename(change))
  const why = refused(permission)
  return (
    <Form error={action.error} onSubmit={() => void action.run()}>
      <div className="pair">
        <Field
          label={`${of} name`}
          name="name"
          isRequired
          isDisabled={why !== undefined}
          value={name}
          onChange={setName}
        />
        <Field
          label={`${of} slug`}
          name="slug"
          isRequired
          isDisabled={why !== undefined}
          value={slug}
          onChange={setSlug}
        />
      </div>
      {command(change)}
      <Problem error={action.error} />
      <div>
        <PermittedButton
          type="submit"
          permission={permission}
          isDisabled={Object.keys(change).length === 0}
          isPending={action.isPending}
        >
          Rename the {of.toLowerCase()}
        </PermittedButton>
      </div>
    </Form>
  )
}
