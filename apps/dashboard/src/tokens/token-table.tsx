import { useState, type ReactNode } from 'react'
import { client } from '../ground/client.js'
import { useScope } from '../ground/scope.js'
import { countdown } from '../ground/time.js'
import { useNow } from '../ground/use-now.js'
import { PermittedButton } from '../parts/button.js'
import { Confirm } from '../parts/confirm.js'
import { Time } from '../parts/time.js'
import { wordsFor } from './presets.js'
import { RotateTokenDialog } from './rotate-token-dialog.js'
import type { Token } from './token-list.js'

interface Asked {
  readonly token: Token
  readonly for: 'rotate' | 'delete'
}

export function TokenTable({
  tokens,
  onChanged,
}: {
  readonly tokens: readonly Token[]
  readonly onChanged: () => void
}) {
  const { refused, organizationSlug: organization } = useScope()
  const [asked, setAsked] = useState<Asked>()
  const close = () => {
    setAsked(undefined)
    onChanged()
  }
  const ids = new Set(tokens.map(({ id }) => id))
  return (
    <div className="table-frame">
      <table>
        <thead>
          <tr>
            <th scope="col">Description</th>
            <th scope="col">May do</th>
            <th scope="col">Last used</th>
            <th scope="col">Ends</th>
            <th scope="col" className="end">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {tokens.map((token) => (
            <TokenRow
              key={token.id}
              token={token}
              isSuccessor={token.replaces !== null && ids.has(token.replaces)}
            >
              {token.state === 'active' && (
                <div className="row">
                  {token.replaced_by === null && (
                    <PermittedButton
                      look="small"
                      refused={refused('organization-token:rotate')}
                      permission="organization-token:rotate"
                      aria-label={`Rotate ${token.description}`}
                      onPress={() => {
                        setAsked({ token, for: 'rotate' })
                      }}
                    >
                      Rotate
                    </PermittedButton>
                  )}
                  <PermittedButton
                    look="small danger"
                    refused={refused('organization-token:delete')}
                    permission="organization-token:delete"
                    aria-label={`${token.replaced_by === null ? 'Delete' : 'End now:'} ${token.description}`}
                    onPress={() => {
                      setAsked({ token, for: 'delete' })
                    }}
                  >
                    {token.replaced_by === null ? 'Delete' : 'End now'}
                  </PermittedButton>
                </div>
              )}
            </TokenRow>
          ))}
        </tbody>
      </table>
      {asked?.for === 'rotate' && <RotateTokenDialog token={asked.token} onClose={close} />}
      {asked?.for === 'delete' && (
        <Confirm
          title={`Delete “${asked.token.description}”?`}
          verb="Delete"
          onClose={close}
          onConfirm={async () => {
            await client.call('deleteOrganizationToken', {
              organization,
              organization_token_id: asked.token.id,
            })
          }}
        >
          <p>
            Everything that uses it is refused immediately. <LastUse token={asked.token} />
          </p>
          <p className="quiet">To replace it without a gap, rotate it with a grace period instead.</p>
        </Confirm>
      )}
    </div>
  )
}

function TokenRow({
  token,
  isSuccessor,
  children,
}: {
  readonly token: Token
  readonly isSuccessor: boolean
  readonly children: ReactNode
}) {
  const { description, permissions, last_used, leaked_at, state, project_ids } = token
  return (
    <tr className={isSuccessor ? 'successor' : undefined}>
      <th scope="row">
        <div className="stack-s">
          <span>
            {description} {isSuccessor && <span className="badge accent">new</span>}
            {leaked_at !== null && <span className="badge bad">leaked</span>}
            {state !== 'active' && <span className="badge">{state}</span>}
          </span>
          <small>
            created <Time at={token.created_at} />
          </small>
        </div>
      </th>
      <td data-label="May do">
        <span title={permissions.join(', ')}>{wordsFor(permissions)}</span>
        <br />
        <small>
          {project_ids === null
            ? 'all projects'
            : `${String(project_ids.length)} ${project_ids.length === 1 ? 'project' : 'projects'}`}
        </small>
      </td>
      <td data-label="Last used">
        {last_used === null ? (
          <span className="quiet">never</span>
        ) : (
          <>
            <Time at={last_used.at} />
            <br />
            <small title={last_used.user_agent ?? undefined}>
              {last_used.address}
              {last_used.user_agent !== null && ` · ${last_used.user_agent.slice(0, 32)}`}
            </small>
          </>
        )}
      </td>
      <td data-label="Ends">
        <End token={token} />
      </td>
      <td className="end">{children}</td>
    </tr>
  )
}

/** When a token ends; for one that was replaced the time that is left, to the second. */
function End({ token: { expires_at, replaced_by, state } }: { readonly token: Token }) {
  const now = useNow(1_000)
  if (expires_at === null) return <span className="quiet">never</span>
  if (replaced_by === null || state !== 'active') return <Time at={expires_at} />
  return <span className="badge attention">in {countdown(Date.parse(expires_at) - now)}</span>
}

function LastUse({ token: { last_used } }: { readonly token: Token }) {
  if (last_used === null) return <>Nothing has used it so far.</>
  return (
    <>
      It was last used <Time at={last_used.at} />, from {last_used.address}.
    </>
  )
}
