import { TOKEN_DERIVE } from '@bearing/contracts/identity/tokens/token-presets'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { counted } from '../ground/amounts.js'
import { makeCall, calling } from '../ground/calling.js'
import { queryClient } from '../ground/query-client.js'
import { useScope } from '../ground/scope.js'
import { countdown } from '../ground/time.js'
import { useNow } from '../ground/use-now.js'
import { PermittedButton } from '../parts/button.js'
import { RequestChart } from '../parts/chart/request-chart.js'
import { Confirm } from '../parts/confirm.js'
import { HistoryLink } from '../parts/history-link.js'
import { Loaded } from '../parts/loaded.js'
import { Table } from '../parts/table.js'
import { Time } from '../parts/time.js'
import { DerivedTokens } from './derived-tokens.js'
import { wordsFor } from './presets.js'
import { isRevokedAsLeaked, type Token } from './token-list.js'

const RotateTokenDialog = lazy(async () => ({
  default: (await import('./rotate-token-dialog.js')).RotateTokenDialog,
}))

interface Asked {
  readonly token: Token
  readonly for: 'rotate' | 'delete'
}

export function TokenTable({
  tokens,
  page,
  onUnseen,
}: {
  readonly tokens: readonly Token[]
  readonly page: { readonly at: number; readonly size: number }
  readonly onUnseen: (tokens: readonly Token[]) => void
}) {
  const { organizationSlug: organization } = useScope()
  const [asked, setAsked] = useState<Asked>()
  const close = () => {
    setAsked(undefined)
    void queryClient.invalidateQueries({ queryKey: ['tokens', organization] })
  }
  const ids = new Set(tokens.map(({ id }) => id))
  const isSuccessor = ({ replaces }: Token) => replaces !== null && ids.has(replaces)
  return (
    <>
      <Table
        rows={tokens}
        page={page}
        idOf={({ id }) => id}
        lookOf={(token) => (isSuccessor(token) ? 'successor' : undefined)}
        columns={[
          {
            title: 'Description',
            isRowHeader: true,
            sortBy: ({ description }) => description,
            cell: (token) => <Name token={token} isSuccessor={isSuccessor(token)} />,
          },
          { title: 'May do', cell: (token) => <Reach token={token} /> },
          {
            title: 'Last used',
            sortBy: ({ last_used }) => last_used?.at ?? null,
            cell: (token) => <LastUsed token={token} />,
          },
          {
            title: 'Ends',
            sortBy: ({ expires_at }) => expires_at,
            cell: (token) => <End token={token} />,
          },
          {
            title: 'Actions',
            isActions: true,
            cell: (token) => <Actions token={token} onAsk={setAsked} />,
          },
        ]}
      />
      <Suspense>
        {asked?.for === 'rotate' && (
          <RotateTokenDialog token={asked.token} onUnseen={onUnseen} onClose={close} />
        )}
      </Suspense>
      {asked?.for === 'delete' && (
        <Confirm
          title={`Delete “${asked.token.description}”?`}
          verb="Delete"
          onClose={close}
          onConfirm={() =>
            makeCall('deleteOrganizationToken', { organization, organization_token_id: asked.token.id })
          }
        >
          <p>
            Everything that uses it is refused immediately. <LastUse token={asked.token} />
          </p>
          <p className="quiet">To replace it without a gap, rotate it with a grace period instead.</p>
        </Confirm>
      )}
    </>
  )
}

function Actions({ token, onAsk }: { readonly token: Token; readonly onAsk: (asked: Asked) => void }) {
  const isReplaced = token.replaced_by !== null
  const isActive = token.state === 'active'
  return (
    <div className="row">
      {!isReplaced && (isActive || isRevokedAsLeaked(token)) && (
        <PermittedButton
          look="small"
          aria-haspopup="dialog"
          permission="organization-token:rotate"
          aria-label={`Rotate ${token.description}`}
          onPress={() => onAsk({ token, for: 'rotate' })}
        >
          Rotate
        </PermittedButton>
      )}
      {isActive && (
        <PermittedButton
          look="small danger"
          aria-haspopup="dialog"
          permission="organization-token:delete"
          aria-label={`${isReplaced ? 'End now:' : 'Delete'} ${token.description}`}
          onPress={() => onAsk({ token, for: 'delete' })}
        >
          {isReplaced ? 'End now' : 'Delete'}
        </PermittedButton>
      )}
    </div>
  )
}

function Name({ token, isSuccessor }: { readonly token: Token; readonly isSuccessor: boolean }) {
  const { description, leaked_at, state, created_at } = token
  return (
    <div className="stack-s">
      <span>
        {description} {isSuccessor && <span className="badge accent">new</span>}
        {leaked_at !== null && <span className="badge bad">leaked</span>}
        {state !== 'active' && <span className="badge">{state}</span>}
      </span>
      <small>
        created <Time at={created_at} /> ·{' '}
        <HistoryLink target={`organization_token:${token.id}`} of={description} />
      </small>
      <TokenRequests token={token} />
      {token.permissions.includes(TOKEN_DERIVE) && (
        <DerivedTokens id={token.id} of={description} title="Derived tokens" />
      )}
    </div>
  )
}

function Reach({ token: { permissions, project_ids, administers } }: { readonly token: Token }) {
  return (
    <>
      <span title={permissions.join(', ')}>{wordsFor(permissions)}</span>
      {administers && <span className="badge attention">administers</span>}
      <br />
      <small>{project_ids === null ? 'all projects' : counted(project_ids.length, 'project')}</small>
    </>
  )
}

function LastUsed({ token: { last_used } }: { readonly token: Token }) {
  if (last_used === null) return <span className="quiet">never</span>
  return (
    <>
      <Time at={last_used.at} />
      <br />
      <small title={last_used.user_agent ?? undefined}>
        {last_used.address}
        {last_used.user_agent !== null && ` · ${last_used.user_agent.slice(0, 32)}`}
      </small>
    </>
  )
}

/** End of a token; for one that was replaced the time that is left, to the second. */
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

/** The requests with a token in the last 30 days, read when it is opened. */
function TokenRequests({ token: { id, description } }: { readonly token: Token }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        Requests<span className="visually-hidden"> with {description}</span>
      </summary>
      {isOpen && <Requests id={id} description={description} />}
    </details>
  )
}

function Requests({ id, description }: Pick<Token, 'id' | 'description'>) {
  const { organizationSlug: organization } = useScope()
  const usage = useQuery(
    calling(['tokens', organization, 'usage', id], 'showOrganizationTokenUsage', {
      organization,
      organization_token_id: id,
    }),
  )
  return (
    <Loaded query={usage} lines={1}>
      {({ days }) => <RequestChart label={`Requests per day with ${description}`} days={days} />}
    </Loaded>
  )
}
