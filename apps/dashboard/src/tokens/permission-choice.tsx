import { ORGANIZATION_TOKEN_PERMISSIONS } from '@bearing/access/roles'
import type { Permission } from '@bearing/contracts/permission'

/** Permissions that a token can have, by what they are about, in the order of the contract. */
const GROUPS = [
  ...Map.groupBy(ORGANIZATION_TOKEN_PERMISSIONS, (permission) =>
    permission.slice(0, permission.indexOf(':')),
  ),
]

/** Chooses permissions one by one. */
export function PermissionChoice({
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
