import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { makeCall, calling } from '../ground/calling.js'
import { useScope } from '../ground/scope.js'
import { useAction } from '../ground/use-action.js'
import { PermittedButton } from '../parts/button.js'
import { Loaded } from '../parts/loaded.js'
import { Problem } from '../parts/problem.js'
import { Time } from '../parts/time.js'
import { wordsFor } from './presets.js'
import type { Token } from './token-list.js'

/** The most tokens that are shown. */
const SHOWN = 50

interface Props {
  /** The token or trust that they come from. */
  readonly id: string
  readonly of: string
  readonly title: string
}

/** Tokens that come from a token or a trust, read when it is opened. */
export function DerivedTokens({ id, of, title }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {title}
        <span className="visually-hidden"> of {of}</span>
      </summary>
      {isOpen && <Tokens id={id} />}
    </details>
  )
}

function Tokens({ id: derived_from }: Pick<Props, 'id'>) {
  const { organizationSlug: organization } = useScope()
  const queryKey = ['tokens', organization, 'from', derived_from]
  const tokens = useQuery(
    calling(queryKey, 'listOrganizationTokens', { organization, derived_from, per_page: SHOWN }),
  )
  const action = useAction((organization_token_id: string) =>
    makeCall('deleteOrganizationToken', { organization, organization_token_id }, queryKey),
  )
  return (
    <Loaded query={tokens} lines={1}>
      {({ data, paging }) => (
        <div className="stack-s">
          {data.length === 0 && <p className="quiet">None within the last week.</p>}
          <ul className="plain-list">
            {data.map((token) => (
              <li key={token.id} className="row">
                <DerivedToken token={token} />
                {token.state === 'active' && (
                  <PermittedButton
                    look="small danger"
                    permission="organization-token:delete"
                    aria-label={`Delete ${token.description} ${token.id}`}
                    isPending={action.isPending}
                    onPress={() => void action.run(token.id)}
                  >
                    Delete
                  </PermittedButton>
                )}
              </li>
            ))}
          </ul>
          {paging.total_count > data.length && <p className="quiet">The newest {SHOWN} are shown.</p>}
          <Problem error={action.error} />
        </div>
      )}
    </Loaded>
  )
}

function DerivedToken({ token }: { readonly token: Token }) {
  const { description, state, permissions, last_used, expires_at, workload } = token
  return (
    <small>
      <b>{description}</b> {state !== 'active' && <span className="badge">{state}</span>}{' '}
      <span title={permissions.join(', ')}>{wordsFor(permissions)}</span>
      {' · '}
      {last_used ? (
        <>
          used <Time at={last_used.at} /> from {last_used.address}
        </>
      ) : (
        'not used'
      )}
      {expires_at !== null && (
        <>
          {' · '}ends <Time at={expires_at} />
        </>
      )}
      {workload && (
        <>
          <br />
          <code>{claimLines(workload.claims).join(' ')}</code>
        </>
      )}
    </small>
  )
}

/** Returns claims as the command line takes them. */
export function claimLines(claims: Readonly<Record<string, string>>): string[] {
  return Object.entries(claims).map(([name, value]) => `${name}=${value}`)
}
