import type { CallOutput } from '@bearing/client/call-types'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { addressOf } from '../ground/address-of.js'
import { count, counted } from '../ground/amounts.js'
import { client } from '../ground/client.js'
import { useScope } from '../ground/scope.js'
import { Loaded } from '../parts/loaded.js'
import { Card } from '../parts/page.js'
import { Table } from '../parts/table.js'

type Coredump = CallOutput<'listCoredumps'>['data'][number]

/** The newest coredumps, which are looked at. */
const READ = 1_000
/** Versions that are asked about. */
const MAX_VERSIONS = 20
const FILES = '/o/$organization/p/$project/files'

interface Coverage {
  readonly type: string | null
  readonly version: string | null
  readonly coredumps: number
  /** Number of symbol files of this version. Null: the coredumps name no version. */
  readonly symbols: number | null
}

/** Says of which software versions there are coredumps and no symbols. */
export function CoverageCard() {
  const { organizationSlug: organization, projectSlug: project } = useScope()
  const coverage = useQuery({
    queryKey: ['coverage', organization, project],
    queryFn: async ({ signal }) => {
      const { data, paging } = await client.call(
        'listCoredumps',
        { organization, project, per_page: READ },
        { signal },
      )
      const all = versionsOf(data)
      const versions = all.slice(0, MAX_VERSIONS)
      const rows = await Promise.all(
        versions.map(async ({ type, version, coredumps }): Promise<Coverage> => {
          if (version === null) return { type, version, coredumps, symbols: null }
          const asked = { organization, project, kind: 'symbols' as const, per_page: 1 }
          const { paging: found } = await client.call(
            'listFiles',
            { ...asked, software_version: version, ...(type !== null && { software_type: type }) },
            { signal },
          )
          return { type, version, coredumps, symbols: found.total_count }
        }),
      )
      return { rows, versions: all.length, read: data.length, total: paging.total_count }
    },
    staleTime: 60_000,
  })
  return (
    <Card
      title="Which coredumps lack symbols"
      about="By software version. Symbols that were uploaded with a build id alone, and no version, do not count here: look them up by build id."
    >
      <Loaded query={coverage} lines={2}>
        {({ rows, versions, read, total }) =>
          rows.length === 0 ? (
            <p className="quiet">No coredumps yet.</p>
          ) : (
            <>
              <Table
                rows={rows}
                idOf={({ type, version }) => `${type ?? ''}\n${version ?? ''}`}
                columns={[
                  {
                    title: 'Software',
                    isRowHeader: true,
                    cell: ({ type, version }) =>
                      version === null ? (
                        <span className="quiet">no version was said</span>
                      ) : (
                        `${type ?? ''} ${version}`
                      ),
                  },
                  {
                    title: 'Coredumps',
                    cell: ({ version, coredumps }) =>
                      version === null ? (
                        count(coredumps)
                      ) : (
                        <Link to={addressOf(FILES, organization, project)} search={{ version }}>
                          {count(coredumps)}
                        </Link>
                      ),
                  },
                  { title: 'Symbols', cell: symbolsText },
                ]}
              />
              {rows.length < versions && (
                <p className="quiet">
                  The {count(rows.length)} versions with the most coredumps, of {count(versions)}.
                </p>
              )}
              {read < total && (
                <p className="quiet">
                  Of the newest {count(read)} coredumps, of {count(total)}.
                </p>
              )}
            </>
          )
        }
      </Loaded>
    </Card>
  )
}

function symbolsText({ symbols }: Coverage) {
  if (symbols === null) return <span className="quiet">unknown</span>
  if (symbols === 0) return <span className="badge bad">none</span>
  return <span className="badge good">{counted(symbols, 'file')}</span>
}

/** Returns the versions of coredumps, those with the most first. */
function versionsOf(coredumps: readonly Coredump[]) {
  const versions = new Map<string, { type: string | null; version: string | null; coredumps: number }>()
  for (const { software_type: type, software_version: version } of coredumps) {
    const key = JSON.stringify([type, version])
    const known = versions.get(key) ?? { type, version, coredumps: 0 }
    versions.set(key, { ...known, coredumps: known.coredumps + 1 })
  }
  return [...versions.values()].sort((a, b) => b.coredumps - a.coredumps)
}
