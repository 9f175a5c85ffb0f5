import { parseRoles, parseRule, rolesText } from '@bearing/contracts/identity/sso/role-text'
import { useQuery } from '@tanstack/react-query'
import { projectsOf } from '../ground/queries.js'
import { useScope } from '../ground/scope.js'
import { useInput } from '../ground/use-input.js'
import { quoted } from '../parts/command.js'
import { ConfirmButton } from '../parts/confirm.js'
import { Field } from '../parts/field.js'
import { Loaded } from '../parts/loaded.js'
import { Card } from '../parts/page.js'
import { SaveForm, useSave } from '../parts/save-form.js'
import { connectionsOf, type Connection } from './connection.js'

type Projects = readonly { readonly id: string; readonly slug: string }[]

/** The roles that groups at the provider give. */
export function RoleMappingCard({ connection }: { readonly connection: Connection }) {
  const { organizationSlug: organization } = useScope()
  const projects = useQuery(projectsOf(organization))
  const { role_mapping: mapping } = connection
  return (
    <Card
      title="Roles from groups"
      about="Groups at the provider decide the roles of users, at each sign-in. Such roles cannot be edited by hand."
      state={
        <span className={`badge ${mapping ? 'good' : ''}`}>
          {mapping ? `${String(mapping.rules.length)} rules` : 'by hand'}
        </span>
      }
    >
      <Loaded query={projects}>
        {(list) => (
          <MappingForm
            key={`${connection.id} ${JSON.stringify(mapping)}`}
            connection={connection}
            projects={list}
          />
        )}
      </Loaded>
    </Card>
  )
}

function MappingForm({
  connection: { id: connection_id, role_mapping: mapping },
  projects,
}: {
  readonly connection: Connection
  readonly projects: Projects
}) {
  const { organizationSlug: organization } = useScope()
  const slugOf = (id: string) => projects.find((project) => project.id === id)?.slug ?? id
  const stored = {
    claim: mapping?.claim ?? 'groups',
    rules: (mapping?.rules ?? [])
      .map(({ value, role, projects }) => `${value} = ${rolesText(role, projects, slugOf)}`)
      .join('\n'),
    otherwise: mapping?.fallback ? rolesText('member', mapping.fallback.projects, slugOf) : 'none',
  }
  const [claim, claimInput] = useInput(stored.claim)
  const [rules, rulesInput] = useInput(stored.rules)
  const [otherwise, otherwiseInput] = useInput(stored.otherwise)
  const withIds = ({
    project,
    role,
  }: {
    readonly project: string
    readonly role: 'manager' | 'member' | 'reader'
  }) => ({
    project_id: projects.find(({ slug }) => slug === project)?.id ?? project,
    role,
  })
  const lines = rules.split('\n').filter((line) => line.trim() !== '')
  const parsed = lines.map(parseRule)
  const fallback = parseRoles(otherwise)
  const mistakes = {
    rules: lines.find((_, index) => parsed[index] === undefined),
    otherwise: otherwise.trim() !== 'none' && fallback?.role !== 'member',
  }
  const role_mapping = {
    claim: claim.trim(),
    rules: parsed
      .filter((rule) => rule !== undefined)
      .map(({ value, role, projects }) => ({ value, role, projects: projects.map(withIds) })),
    fallback: fallback ? { projects: fallback.projects.map(withIds) } : null,
  }
  const queryKey = connectionsOf(organization).queryKey
  const save = useSave('changeSsoConnection', { organization, connection_id, role_mapping }, queryKey)
  const remove = useSave('changeSsoConnection', { organization, connection_id, role_mapping: null }, queryKey)
  const isChanged = claim !== stored.claim || rules !== stored.rules || otherwise !== stored.otherwise
  return (
    <>
      <SaveForm
        save={save}
        permission="sso-connection:manage"
        verb="Save the role mapping"
        isDisabled={!isChanged || mistakes.rules !== undefined || mistakes.otherwise}
        bearing={[
          `bearing --org ${organization} sso role-mapping set ${connection_id} --claim ${quoted(claim.trim())}`,
          ...lines.map((line) => `--rule ${quoted(compact(line))}`),
          `--otherwise ${quoted(compact(otherwise))}`,
        ].join(' ')}
      >
        <Field
          label="Claim with the groups"
          name="claim"
          hint="Such as groups, roles, or realm_access/roles."
          isRequired
          {...claimInput}
        />
        <Field
          label="Rules"
          name="rules"
          isLong
          placeholder={'platform = admin\nfirmware = member, default:manager'}
          hint={
            mistakes.rules === undefined
              ? 'One group per line: its name, then admin or member, then roles in projects (manager, member, reader).'
              : `Not a rule: ${mistakes.rules}. Write it like: firmware = member, default:manager`
          }
          isInvalid={mistakes.rules !== undefined}
          {...rulesInput}
        />
        <Field
          label="Users without a rule"
          name="fallback"
          hint="none: they are no members. Or member, or member, default:reader."
          isInvalid={mistakes.otherwise}
          isRequired
          {...otherwiseInput}
        />
      </SaveForm>
      {mapping && (
        <ConfirmButton
          permission="sso-connection:manage"
          text="Delete the role mapping"
          title="Delete the role mapping?"
          verb="Delete"
          onConfirm={remove.make}
        >
          <p>The roles that it gave stay, and can be edited by hand. Groups then decide nothing.</p>
        </ConfirmButton>
      )}
    </>
  )
}

/** @returns a rule or roles as the command line takes them */
function compact(text: string): string {
  return text.trim().replaceAll(/\s*([=,:])\s*/g, '$1')
}
