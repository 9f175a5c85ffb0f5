import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { counted } from '../ground/amounts.js'
import { client } from '../ground/client.js'
import { installation } from '../ground/queries.js'
import { queryClient } from '../ground/query-client.js'
import { useScope } from '../ground/scope.js'
import { useUrlState } from '../ground/url-state.js'
import { AddButton } from '../parts/add-button.js'
import { Empty, List } from '../parts/list.js'
import { Loaded } from '../parts/loaded.js'
import { Page } from '../parts/page.js'
import { UrlPages } from '../parts/pages.js'
import { ImportDialog } from './import-dialog.js'
import { LegacyTokenTable } from './legacy-token-table.js'

const PER_PAGE = 50

/** `…/admin/legacy-tokens`: tokens from before organization auth tokens, until their sunset. */
export function LegacyTokensPage() {
  const { organizationSlug: organization, refused } = useScope()
  const config = useQuery(installation)
  const [{ page }] = useUrlState(['page'])
  const [result, setResult] = useState<{ readonly imported: number; readonly updated: number }>()
  const at = Math.max(1, Number(page) || 1)
  const tokens = useQuery({
    queryKey: ['legacy-tokens', organization, at],
    queryFn: ({ signal }) =>
      client.call('listLegacyTokens', { organization, page: at, per_page: PER_PAGE }, { signal }),
    placeholderData: keepPreviousData,
    enabled: !refused('legacy-token:read'),
  })
  const reread = () => void queryClient.invalidateQueries({ queryKey: ['legacy-tokens', organization] })
  return (
    <Page
      title="Legacy tokens"
      about="Service and evaluation tokens from before organization auth tokens. Accept those that are in use for a while, and replace them one by one."
      action={
        <AddButton
          permission="legacy-token:import"
          dialog={(close) => (
            <ImportDialog
              onImported={(imported) => {
                setResult(imported)
                reread()
              }}
              onClose={close}
            />
          )}
        >
          Import
        </AddButton>
      }
    >
      {result && (
        <p className="notice good" role="status">
          {result.imported} imported, {result.updated} changed.
        </p>
      )}
      {!refused('legacy-token:read') && (
        <Loaded query={tokens}>
          {({ data, paging }) =>
            paging.total_count === 0 ? (
              <Empty
                title="There is no legacy token"
                command={`bearing --url ${config.data?.public_url ?? ''} --org ${organization} legacy-tokens import tokens.txt --sunset 2027-06-30`}
              >
                If servers or devices still send one, import it here, or on the command line:
              </Empty>
            ) : (
              <List
                label="Legacy tokens"
                count={counted(paging.total_count, 'token')}
                isStale={tokens.isPlaceholderData}
                pages={<UrlPages pages={paging.page_count} />}
              >
                <LegacyTokenTable tokens={data} onChanged={reread} />
              </List>
            )
          }
        </Loaded>
      )}
    </Page>
  )
}
