import type { CountedKind } from '@bearing/contracts/identity/credentials/request-usage'
import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { count, size } from '../ground/amounts.js'
import { calling } from '../ground/calling.js'
import { projectsOf } from '../ground/queries.js'
import { useScope } from '../ground/scope.js'
import { useUrlState } from '../ground/url-state.js'
import { whoCan } from '../ground/who-can.js'
import { AsCommand } from '../parts/command.js'
import { Facts } from '../parts/facts.js'
import { Loaded } from '../parts/loaded.js'
import { Card, Page } from '../parts/page.js'
import { Select } from '../parts/select.js'
import { Table } from '../parts/table.js'
import { Time } from '../parts/time.js'
import { UsageCharts, type Usage } from './usage-charts.js'

const KINDS: Readonly<Record<z.infer<typeof CountedKind>, string>> = {
  organization_token: 'Organization token',
  legacy_token: 'Legacy token',
  api_key: 'User API key',
  password: 'Password',
  session: 'Session',
  project_key: 'Project key',
  other: 'All others together',
}

const RANGES = ['7', '30', '90'] as const
const DEFAULT_RANGE = '30'

/** `…/admin/usage`: what the organization uses, beside its limits. */
export function UsagePage() {
  const { organizationSlug: organization, refused } = useScope()
  const [state, change] = useUrlState(['days'])
  const days = RANGES.find((range) => range === state.days) ?? DEFAULT_RANGE
  const mayRead = !refused('organization-usage:read')
  const usage = useQuery({
    ...calling(['usage', organization, days], 'showOrganizationUsage', { organization, days: Number(days) }),
    enabled: mayRead,
  })
  return (
    <Page
      title="Usage"
      about="What the organization uses, and what its limits refer to. Days are in UTC; counts are about a minute old."
    >
      {!mayRead && <p className="empty">Only for {whoCan('organization-usage:read')}.</p>}
      {mayRead && (
        <>
          <div className="row filters">
            <Select
              label="Period"
              value={days}
              options={RANGES.map((id) => ({ id, text: `${id} days` }))}
              onChange={(id) => change({ days: id === DEFAULT_RANGE ? '' : id })}
            />
          </div>
          <Loaded query={usage}>
            {(shown) => (
              <>
                <Totals usage={shown} />
                <UsageCharts days={shown.days} />
                <Card title="By credential" about="The 100 credentials with the most requests in the period.">
                  <CredentialTable credentials={shown.credentials} />
                </Card>
              </>
            )}
          </Loaded>
          <AsCommand bearing={`bearing --org ${organization} organizations usage --days ${days}`} />
        </>
      )}
    </Page>
  )
}

function Totals({ usage }: { readonly usage: Usage }) {
  const { projects, devices, stored, chunk_bytes_per_day, days } = usage
  const today = days.at(-1)?.chunks.bytes ?? 0
  return (
    <Card title="Now">
      <Facts
        facts={{
          Projects: totalOf(projects.count, projects.limit, count),
          Devices: totalOf(devices.count, devices.limit, count),
          'Files stored': totalOf(stored.files.bytes, stored.files.limit, size),
          'Chunks stored': totalOf(stored.chunks.bytes, null, size),
          'Chunks received today': totalOf(today, chunk_bytes_per_day, size),
        }}
      />
    </Card>
  )
}

function totalOf(used: number, limit: number | null, format: (amount: number) => string) {
  return (
    <>
      {format(used)} <small>{limit === null ? 'no limit' : `of ${format(limit)}`}</small>
    </>
  )
}

/** The credentials that have made the requests. */
function CredentialTable({ credentials }: { readonly credentials: Usage['credentials'] }) {
  return (
    <Table
      rows={credentials}
      empty="No request was counted in this period."
      idOf={({ kind, id }) => `${kind} ${id ?? ''}`}
      columns={[
        {
          title: 'Credential',
          isRowHeader: true,
          cell: (credential) => <CredentialName credential={credential} />,
        },
        { title: 'Kind', sortBy: ({ kind }) => KINDS[kind], cell: ({ kind }) => KINDS[kind] },
        { title: 'Requests', sortBy: ({ requests }) => requests, cell: ({ requests }) => count(requests) },
        {
          title: 'Last used',
          sortBy: ({ last_used_at }) => last_used_at,
          cell: ({ last_used_at }) => <Time at={last_used_at} />,
        },
      ]}
    />
  )
}

/** A project key has the name of its project. */
function CredentialName({
  credential: { name, id, project_id },
}: {
  readonly credential: Usage['credentials'][number]
}) {
  const { organizationSlug } = useScope()
  const projects = useQuery(projectsOf(organizationSlug))
  const project = projects.data?.find((one) => one.id === project_id)
  const shown = name ?? (project && `Key of ${project.name}`)
  return shown ?? <code>{id ?? 'not counted one by one'}</code>
}
