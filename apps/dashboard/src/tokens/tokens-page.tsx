import { useQuery } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import { counted } from '../ground/amounts.js'
import { listing } from '../ground/calling.js'
import { queryClient } from '../ground/query-client.js'
import { useScope } from '../ground/scope.js'
import { useUrlState } from '../ground/url-state.js'
import { AddButton } from '../parts/add-button.js'
import { Button } from '../parts/button.js'
import { Empty, List } from '../parts/list.js'
import { Loaded } from '../parts/loaded.js'
import { Page } from '../parts/page.js'
import { Pages } from '../parts/pages.js'
import { SearchField } from '../parts/search-field.js'
import { Select } from '../parts/select.js'
import { selectTokens, STATE_TEXTS, STATES, type State, type Token } from './token-list.js'
import { TokenTable } from './token-table.js'
import { WhoseToken } from './whose-token.js'

const CreateTokenDialog = lazy(async () => ({
  default: (await import('./create-token-dialog.js')).CreateTokenDialog,
}))

/** The most tokens that are read. */
const READ = 1_000
/** Tokens on a page of the list. */
const PER_PAGE = 50

/** `…/admin/tokens`. */
export function TokensPage() {
  const { organizationSlug: organization, refused } = useScope()
  const [unseen, setUnseen] = useState<readonly Token[]>([])
  const key = ['tokens', organization]
  const tokens = useQuery({
    ...listing(key, 'listOrganizationTokens', { organization, per_page: READ }),
    enabled: !refused('organization-token:read'),
  })
  const reread = () => queryClient.invalidateQueries({ queryKey: key })
  const showUnseen = (created: readonly Token[]) => {
    setUnseen(created)
    void reread()
  }
  return (
    <Page
      title="Organization Auth Tokens"
      about="For automation: CI, scripts and backends. A token belongs to the organization and stays when its creator leaves."
      action={
        <AddButton
          permission="organization-token:create"
          dialog={(close) => (
            <CreateTokenDialog known={tokens.data ?? []} onUnseen={showUnseen} onClose={close} />
          )}
          onClosed={reread}
        >
          Create Token
        </AddButton>
      }
    >
      <UnseenTokens tokens={unseen} onDismiss={() => setUnseen([])} />
      {!refused('organization-token:read') && (
        <Loaded query={tokens}>{(list) => <TokenList tokens={list} onUnseen={showUnseen} />}</Loaded>
      )}
      <WhoseToken tokens={tokens.data ?? []} onChanged={() => void reread()} />
    </Page>
  )
}

function TokenList({
  tokens,
  onUnseen,
}: {
  readonly tokens: readonly Token[]
  readonly onUnseen: (tokens: readonly Token[]) => void
}) {
  const [{ state, q, page }, change] = useUrlState(['state', 'q', 'page'])
  const [now] = useState(() => Date.now())
  const { organizationSlug } = useScope()
  const chosen: State = STATES.find((candidate) => candidate === state) ?? 'active'
  const selected = selectTokens(tokens, chosen, q, now)
  const pages = Math.max(1, Math.ceil(selected.length / PER_PAGE))
  const at = Math.min(Math.max(1, Number(page) || 1), pages)
  if (tokens.length === 0)
    return (
      <Empty
        title="No tokens yet"
        command={`bearing --org ${organizationSlug} org-tokens create --description CI`}
      >
        Create one here, or on the command line:
      </Empty>
    )
  return (
    <List
      label="Tokens"
      filters={
        <>
          <Select
            label="Show"
            value={chosen}
            onChange={(id) => change({ state: id === 'active' ? '' : id, page: '' })}
            options={STATES.map((id) => ({ id, text: STATE_TEXTS[id] }))}
          />
          <SearchField
            placeholder="Description or id"
            value={q}
            onSearch={(text) => change({ q: text, page: '' })}
          />
        </>
      }
      count={counted(selected.length, 'token')}
      pages={<Pages at={at} pages={pages} onPage={(next) => change({ page: String(next) })} />}
    >
      {selected.length === 0 ? (
        <Empty title="No token matches">Choose “All”, or clear the search.</Empty>
      ) : (
        <TokenTable tokens={selected} page={{ at, size: PER_PAGE }} onUnseen={onUnseen} />
      )}
    </List>
  )
}

/** Shows tokens whose reply was lost: they exist, but no one received their secret. */
function UnseenTokens({
  tokens,
  onDismiss,
}: {
  readonly tokens: readonly Token[]
  readonly onDismiss: () => void
}) {
  if (tokens.length === 0) return null
  return (
    <div className="notice attention" role="alert">
      {tokens.map(({ id, description }) => (
        <p key={id}>
          <strong>{description}</strong> was created, but the connection broke before its secret arrived.
          Rotate it to get a secret, or delete it.
        </p>
      ))}
      <div>
        <Button look="small" onPress={onDismiss}>
          Understood
        </Button>
      </div>
    </div>
  )
}
