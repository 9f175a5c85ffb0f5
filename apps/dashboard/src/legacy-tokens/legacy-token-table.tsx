import { DAY_MS } from '@bearing/contracts/durations'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../ground/client.js'
import { projectsOf } from '../ground/queries.js'
import { useScope } from '../ground/scope.js'
import { useNow } from '../ground/use-now.js'
import { PermittedButton } from '../parts/button.js'
import { Confirm } from '../parts/confirm.js'
import { Table } from '../parts/table.js'
import { Time } from '../parts/time.js'
import type { LegacyToken } from './legacy-token.js'
import { ReplaceDialog } from './replace-dialog.js'

/** Days before the sunset from which on it is marked. */
const SOON_DAYS = 30

export function LegacyTokenTable({
  tokens,
  onChanged,
}: {
  readonly tokens: readonly LegacyToken[]
  readonly onChanged: () => void
}) {
  const { organizationSlug: organization, refused } = useScope()
  const projects = useQuery(projectsOf(organization))
  const [asked, setAsked] = useState<{ readonly token: LegacyToken; readonly for: 'replace' | 'delete' }>()
  const close = () => {
    setAsked(undefined)
    onChanged()
  }
  return (
    <>
      <Table
        rows={tokens}
        idOf={(token) => token.id}
        columns={[
          {
            title: 'Token',
            isRowHeader: true,
            cell: (token) => (
              <div className="stack-s">
                <span>
                  {token.description || <code>{token.id.slice(0, 8)}</code>}{' '}
                  <span className="badge">{token.kind}</span>
                </span>
                <small>
                  imported <Time at={token.imported_at} />
                </small>
              </div>
            ),
          },
          {
            title: 'Reaches',
            cell: (token) =>
              token.project_id === null
                ? 'all projects'
                : (projects.data?.find(({ id }) => id === token.project_id)?.name ?? 'a project'),
          },
          {
            title: 'Last used',
            cell: (token) =>
              token.last_used_at === null ? (
                <span className="quiet">not since the import</span>
              ) : (
                <Time at={token.last_used_at} />
              ),
          },
          {
            title: 'Sunset',
            cell: (token) => <Sunset token={token} />,
          },
          {
            title: 'Actions',
            isActions: true,
            cell: (token) =>
              token.state === 'active' && (
                <div className="row">
                  <PermittedButton
                    look="small"
                    aria-haspopup="dialog"
                    aria-label={`Replace ${nameOf(token)}`}
                    refused={refused('organization-token:create')}
                    permission="organization-token:create"
                    onPress={() => {
                      setAsked({ token, for: 'replace' })
                    }}
                  >
                    Replace
                  </PermittedButton>
                  <PermittedButton
                    look="small danger"
                    aria-haspopup="dialog"
                    aria-label={`Delete ${nameOf(token)}`}
                    refused={refused('legacy-token:delete')}
                    permission="legacy-token:delete"
                    onPress={() => {
                      setAsked({ token, for: 'delete' })
                    }}
                  >
                    Delete
                  </PermittedButton>
                </div>
              ),
          },
        ]}
      />
      {asked?.for === 'replace' && <ReplaceDialog token={asked.token} onClose={close} />}
      {asked?.for === 'delete' && (
        <Confirm
          title={`Delete ${nameOf(asked.token)}?`}
          verb="Delete"
          onClose={close}
          onConfirm={async () => {
            await client.call('deleteLegacyToken', { organization, legacy_token_id: asked.token.id })
          }}
        >
          <p>
            Everything that still sends it is refused immediately.{' '}
            {asked.token.last_used_at === null ? (
              'Nothing has used it since it was imported.'
            ) : (
              <>
                It was last used <Time at={asked.token.last_used_at} />.
              </>
            )}
          </p>
        </Confirm>
      )}
    </>
  )
}

function nameOf({ description, id }: LegacyToken): string {
  return description || `the token ${id.slice(0, 8)}`
}

/** The days that are left. */
function Sunset({ token: { sunset_at, state } }: { readonly token: LegacyToken }) {
  const now = useNow(60_000)
  if (state === 'retired') return <span className="badge">retired</span>
  const days = Math.ceil((Date.parse(sunset_at) - now) / DAY_MS)
  return (
    <span className="stack-s">
      <span className={days <= SOON_DAYS ? 'badge attention' : undefined}>
        {days === 1 ? '1 day left' : `${String(days)} days left`}
      </span>
      <small>{sunset_at.slice(0, 10)}</small>
    </span>
  )
}
