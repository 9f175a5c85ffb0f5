import { BOUND_TOKEN_PERMISSIONS, ORGANIZATION_TOKEN_PERMISSIONS } from '@bearing/access/roles'
import {
  administers,
  presetOf,
  TOKEN_PRESET_NAMES,
  TOKEN_PRESETS,
  type TokenPreset,
} from '@bearing/contracts/identity/tokens/token-presets'
import type { Permission } from '@bearing/contracts/permission'
import { useQuery } from '@tanstack/react-query'
import { projectsOf } from '../ground/queries.js'
import { useScope } from '../ground/scope.js'
import { Check, Choice } from '../parts/choice.js'
import { CopyButton } from '../parts/copy-button.js'
import { PRESETS } from './presets.js'

const CHOICES = [...PRESETS, { id: 'own', text: 'Choose permissions', hint: 'One by one.' }]

/** Permissions and projects that a form chooses. */
export interface Reach {
  /** Undefined: the permissions are chosen one by one. */
  readonly preset: TokenPreset | undefined
  readonly own: readonly Permission[]
  /** Undefined: all projects. An empty list is no choice yet, and must not become all of them. */
  readonly projectIds: readonly string[] | undefined
}

/** Returns the choices that lead to some permissions. */
export function reachOf(permissions: readonly Permission[], projectIds: readonly string[] | null): Reach {
  return { preset: presetOf(permissions), own: permissions, projectIds: projectIds ?? undefined }
}

/** Returns the projects that result. Permissions to administer reach the whole organization. */
export function projectsIn({ projectIds, ...reach }: Reach): readonly string[] | undefined {
  return administers(permissionsIn({ ...reach, projectIds: undefined })) ? undefined : projectIds
}

/** Returns the permissions that result. Those of a preset that are not on projects are left out for some projects. */
export function permissionsIn({ preset, own, projectIds }: Reach): readonly Permission[] {
  if (preset === undefined) return own
  const { permissions }: { readonly permissions: readonly Permission[] } = TOKEN_PRESETS[preset]
  return projectIds && preset !== 'administration'
    ? permissions.filter((permission) => BOUND_TOKEN_PERMISSIONS.includes(permission))
    : permissions
}

/** Returns true if something is left to choose. */
export function isReachMissing(reach: Reach): boolean {
  return projectsIn(reach)?.length === 0 || permissionsIn(reach).length === 0
}

/** Chooses what a credential may do, and in which projects. */
export function ReachChoice({
  reach,
  onChange,
}: {
  readonly reach: Reach
  readonly onChange: (reach: Reach) => void
}) {
  const { preset, own } = reach
  const permissions = permissionsIn(reach)
  return (
    <>
      <Choice
        label="What it may do"
        value={preset ?? 'own'}
        onChange={(id) => onChange({ ...reach, preset: TOKEN_PRESET_NAMES.find((name) => name === id) })}
        options={CHOICES}
      />
      {preset === undefined ? (
        <PermissionChoice chosen={own} onChange={(chosen) => onChange({ ...reach, own: chosen })} />
      ) : (
        <PermissionPreview permissions={permissions} />
      )}
      {!administers(permissions) && (
        <ProjectChoice
          chosen={reach.projectIds}
          onChange={(projectIds) => onChange({ ...reach, projectIds })}
        />
      )}
    </>
  )
}

function ProjectChoice({
  chosen,
  onChange,
}: {
  readonly chosen: readonly string[] | undefined
  readonly onChange: (ids: readonly string[] | undefined) => void
}) {
  const { organizationSlug } = useScope()
  const projects = useQuery(projectsOf(organizationSlug))
  return (
    <>
      <Choice
        label="Projects that it reaches"
        value={chosen ? 'some' : 'all'}
        onChange={(value) => onChange(value === 'some' ? [] : undefined)}
        options={[
          { id: 'all', text: 'All projects', hint: 'Future ones too.' },
          { id: 'some', text: 'Only these' },
        ]}
      />
      {chosen &&
        projects.data?.map(({ id, name }) => (
          <Check
            key={id}
            text={name}
            isChecked={chosen.includes(id)}
            onChange={(isChecked) =>
              onChange(isChecked ? [...chosen, id] : chosen.filter((other) => other !== id))
            }
          />
        ))}
    </>
  )
}

/** The exact list that results, as text that the command line takes. */
function PermissionPreview({ permissions }: { readonly permissions: readonly string[] }) {
  const list = permissions.join(',')
  return (
    <details>
      <summary>
        Exactly{' '}
        {permissions.length === 1 ? 'one permission' : `these ${String(permissions.length)} permissions`}
      </summary>
      <div className="row">
        <code>{permissions.join(', ')}</code>
        <CopyButton text={list} of="the permissions" />
      </div>
    </details>
  )
}

/** Permissions that a token can have, by what they are about, in the order of the contract. */
const GROUPS = [
  ...Map.groupBy(ORGANIZATION_TOKEN_PERMISSIONS, (permission) =>
    permission.slice(0, permission.indexOf(':')),
  ),
]

/** Chooses permissions one by one. */
function PermissionChoice({
  chosen,
  onChange,
}: {
  readonly chosen: readonly Permission[]
  readonly onChange: (permissions: readonly Permission[]) => void
}) {
  return (
    <fieldset className="field permissions">
      <legend className="label">Permissions</legend>
      {GROUPS.map(([group, permissions]) => (
        <div key={group} className="stack-s">
          <b>{group}</b>
          {permissions.map((permission) => (
            <label key={permission} className="row">
              <input
                type="checkbox"
                checked={chosen.includes(permission)}
                onChange={({ target }) =>
                  onChange(
                    target.checked ? [...chosen, permission] : chosen.filter((other) => other !== permission),
                  )
                }
              />
              <span>
                <span className="visually-hidden">{group}: </span>
                {permission.slice(group.length + 1)}
              </span>
            </label>
          ))}
        </div>
      ))}
    </fieldset>
  )
}
