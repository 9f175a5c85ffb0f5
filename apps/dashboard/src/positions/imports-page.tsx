import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { addressOf } from '../ground/address-of.js'
import { count } from '../ground/amounts.js'
import { client } from '../ground/client.js'
import { queryClient } from '../ground/query-client.js'
import { useScope } from '../ground/scope.js'
import { whoCan } from '../ground/who-can.js'
import { Button } from '../parts/button.js'
import { AsCommand, quoted } from '../parts/command.js'
import { Empty } from '../parts/list.js'
import { Loaded } from '../parts/loaded.js'
import { Card, Page } from '../parts/page.js'
import { Problem } from '../parts/problem.js'
import { Table } from '../parts/table.js'
import { Time } from '../parts/time.js'
import { DryRunCard } from './dry-run-card.js'
import { FileDrop } from './file-drop.js'
import type { Import } from './send-file.js'
import { useImport, type ImportState } from './use-import.js'

const CONTENTS = {
  observations: 'Observations of access points',
  positions: 'Positions of access points',
  cells: 'Radio cells',
} as const

const STATES = {
  open: ['badge attention', 'interrupted or running'],
  committing: ['badge accent', 'becoming visible'],
  committed: ['badge good', 'visible'],
  failed: ['badge bad', 'failed'],
} as const

const PER_PAGE = 20
/** Queries that an import changes. */
const CHANGED = ['imports', 'coverage', 'access-points', 'access-point-statistics']
/** Interval between reads of an import that is becoming visible, in milliseconds. */
const WATCH_MS = 5_000

/** `…/location/imports`. */
export function ImportsPage() {
  const { organizationSlug: organization, refused } = useScope()
  const key = ['imports', organization]
  const isRefused = refused('access-point:import') !== undefined
  const imports = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ signal, pageParam }) =>
      client.call(
        'listImports',
        { organization, per_page: PER_PAGE, ...(pageParam !== null && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    enabled: !isRefused,
    refetchInterval: ({ state }) =>
      state.data?.pages[0]?.data.some((one) => one.state === 'committing') ? WATCH_MS : false,
  })
  const { state, choose, start, cancel } = useImport(organization, () => {
    for (const changed of CHANGED) void queryClient.invalidateQueries({ queryKey: [changed, organization] })
  })
  const command = useCommand(state)
  return (
    <Page
      title="Imports"
      about="Files of access points become visible as a whole. The same file is imported once; an interrupted import continues where it stopped."
    >
      {isRefused ? (
        <p className="notice">Only for {whoCan('access-point:import')}.</p>
      ) : (
        <>
          <FileDrop isDisabled={state.step === 'sending'} onFile={choose} />
          <Current state={state} onImport={start} onCancel={cancel} />
          {state.step !== 'idle' && <AsCommand bearing={command} />}
          <Loaded query={imports}>
            {({ pages }) => {
              const list = pages.flatMap(({ data }) => data)
              if (list.length === 0)
                return (
                  <Empty title="Nothing has been imported yet" command={command}>
                    Drop a file above, or use the command line:
                  </Empty>
                )
              return <ImportTable imports={list} />
            }}
          </Loaded>
          {imports.hasNextPage && (
            <div>
              <Button isPending={imports.isFetchingNextPage} onPress={() => void imports.fetchNextPage()}>
                Show earlier imports
              </Button>
            </div>
          )}
        </>
      )}
    </Page>
  )
}

function useCommand(state: ImportState): string {
  const { organizationSlug } = useScope()
  const name = state.step === 'idle' ? 'access-points.csv' : quoted(state.name)
  return `bearing --org ${organizationSlug} access-points import --dry-run ${name}`
}

/** Shows the state of the import. */
function Current({
  state,
  onImport,
  onCancel,
}: {
  readonly state: ImportState
  readonly onImport: () => void
  readonly onCancel: () => void
}) {
  if (state.step === 'idle') return null
  if (state.step === 'failed')
    return state.sentence === undefined ? (
      <Problem error={state.error} onRetry={onImport} />
    ) : (
      <div className="notice bad" role="alert">
        <p>{state.sentence}</p>
      </div>
    )
  if (state.step === 'read')
    return <DryRunCard dryRun={state.dryRun} isPending={false} onImport={onImport} onCancel={onCancel} />
  if (state.step === 'ended') return <Result state={state} />
  const isReading = state.step === 'reading'
  return (
    <Card title={isReading ? `Reading ${state.name}` : `Importing ${state.name}`}>
      <progress
        aria-label={isReading ? 'Read' : 'Sent'}
        max={state.of}
        {...((isReading || state.done < state.of) && { value: state.done })}
      />
      <div className="row spread">
        <p className="quiet">{state.text}</p>
        <Button look="small" onPress={onCancel}>
          {isReading ? 'Cancel' : 'Pause'}
        </Button>
      </div>
    </Card>
  )
}

function Result({ state: { ended, name } }: { readonly state: Extract<ImportState, { step: 'ended' }> }) {
  const { organizationSlug, projectSlug } = useScope()
  const { result, wasThere } = ended
  if (result.state === 'failed')
    return (
      <div className="notice bad" role="alert">
        <p>
          {name}: {result.failure ?? 'The import failed.'}
        </p>
      </div>
    )
  return (
    <div className="notice good" role="status">
      <p>
        {wasThere ? `${name} was imported before: ` : `${name} is imported: `}
        {count(result.rows)} rows, {count(result.added ?? 0)} new access points, {count(result.updated ?? 0)}{' '}
        refined.
      </p>
      <p>
        <Link to={addressOf('/o/$organization/p/$project/location/coverage', organizationSlug, projectSlug)}>
          See them on the map
        </Link>{' '}
        or{' '}
        <Link to={addressOf('/o/$organization/p/$project/location/try', organizationSlug, projectSlug)}>
          try a scan
        </Link>
        .
      </p>
    </div>
  )
}

/** Imports of an organization, the newest first. */
function ImportTable({ imports }: { readonly imports: readonly Import[] }) {
  return (
    <Table
      caption="Imports"
      rows={imports}
      idOf={({ id }) => id}
      columns={[
        { title: 'Content', isRowHeader: true, cell: ({ content }) => CONTENTS[content] },
        {
          title: 'State',
          cell: ({ state, rows, failure }) => (
            <>
              <span className={STATES[state][0]}>
                <span className="dot" aria-hidden="true" />
                {STATES[state][1]}
              </span>
              {state === 'open' && <small> {count(rows)} rows stored; drop the file again to continue</small>}
              {failure !== null && <small> {failure}</small>}
            </>
          ),
        },
        { title: 'Rows', cell: ({ rows }) => count(rows) },
        { title: 'New', cell: ({ added }) => (added === null ? '–' : count(added)) },
        { title: 'Refined', cell: ({ updated }) => (updated === null ? '–' : count(updated)) },
        { title: 'Started', cell: ({ created_at }) => <Time at={created_at} /> },
      ]}
    />
  )
}
