import { refusal } from '@bearing/access/authorize'
import { MAX_OVERVIEW_PROJECTS } from '@bearing/contracts/management/tenancy/overview'
import { Period } from '@bearing/contracts/counts/usage'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { addressOf } from '../ground/address-of.js'
import { count } from '../ground/amounts.js'
import { PAGE_PATHS } from '../ground/page-paths.js'
import { queryClient } from '../ground/query-client.js'
import { useScope, type Named } from '../ground/scope.js'
import { useUrlState } from '../ground/url-state.js'
import { preloadChart } from '../parts/chart/chart.js'
import { Loaded } from '../parts/loaded.js'
import { Card, Page, Skeleton } from '../parts/page.js'
import { Problem } from '../parts/problem.js'
import { Select } from '../parts/select.js'
import { GettingStarted } from './getting-started.js'
import type { Need } from './needs.js'
import { OverviewTiles } from './overview-tiles.js'
import { overviewOf, periodOf, PERIODS, shareText, type Overview } from './overview.js'
import { ProjectsCard } from './projects-card.js'
import { SmallMap } from './small-map.js'
import { useAttention } from './use-attention.js'

preloadChart()

/** Reads the overview before the page is shown. An error is shown by the page, which reads again. */
export function readHome(organization: string): void {
  queryClient.query(overviewOf(organization, '24h')).catch(() => undefined)
}

/** `/app/o/:organization`: what happens in the organization, what needs attention, and the projects. */
export function OrganizationPage() {
  const { organization, organizationSlug } = useScope()
  if (!organization)
    return (
      <Page title="Home">
        <p className="notice">
          There is no organization {organizationSlug}, or you are not a member.{' '}
          <Link to="/app">See yours</Link>
        </p>
      </Page>
    )
  return <Home organization={organization} />
}

function Home({ organization }: { readonly organization: Named }) {
  const { user } = useScope()
  const [state, change] = useUrlState(['period'])
  const period = periodOf(state.period)
  const overview = useQuery(overviewOf(organization.slug, period))
  const mapped = overview.data?.projects.find(
    ({ id, devices }) =>
      devices > 0 &&
      user &&
      !refusal(user, 'device-data:read', { organization_id: organization.id, project_id: id }),
  )
  return (
    <Page
      title="Home"
      about={organization.name}
      action={
        <Select
          label="Period"
          isLabelHidden
          value={period}
          options={Period.options.map((id) => ({ id, text: PERIODS[id] }))}
          onChange={(next) => change({ period: next === '24h' ? '' : next })}
        />
      }
    >
      <Loaded query={overview} lines={3}>
        {(shown) => (
          <>
            <OverviewTiles overview={shown} />
            <GettingStarted overview={shown} />
          </>
        )}
      </Loaded>
      <NeedsAttention isDue={!overview.isLoading} />
      {overview.data && (
        <div className="pair first-wide">
          {mapped && overview.data.has_positions && <SmallMap project={mapped} />}
          <VersionsCard overview={overview.data} />
        </div>
      )}
      <ProjectsCard overview={overview.data} />
    </Page>
  )
}

/** Reads after the charts: on a small server they would wait for it. */
function NeedsAttention({ isDue }: { readonly isDue: boolean }) {
  const { needs, isPending, isPartial, error, refetch } = useAttention(isDue)
  return (
    <Card title="Needs attention">
      <Problem error={error} onRetry={refetch} />
      {needs.length === 0 &&
        (isPending ? (
          <Skeleton lines={2} />
        ) : (
          error === undefined && (
            <p className="row" role="status">
              <span className="badge good">all well</span> Nothing needs attention.
              {isPartial && (
                <span className="quiet">
                  Checked: what you may read, and the webhooks of the first {MAX_OVERVIEW_PROJECTS} projects.
                </span>
              )}
            </p>
          )
        ))}
      {needs.length > 0 && (
        <ul className="needs">
          {needs.map((need) => (
            <NeedItem key={need.id} need={need} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function NeedItem({ need: { look, text, todo, page, project = '', search = {} } }: { readonly need: Need }) {
  const { organizationSlug } = useScope()
  return (
    <li>
      <span className={`badge ${look}`}>{look === 'bad' ? 'now' : 'soon'}</span>
      <span>{text}</span>
      {PAGE_PATHS.has(page) && (
        <Link to={addressOf(page, organizationSlug, project)} search={search}>
          {todo}
        </Link>
      )}
    </li>
  )
}

const DEVICES = '/o/$organization/p/$project/devices'

/** Software versions by the share of devices that have them. With one project they lead to its devices. */
function VersionsCard({ overview }: { readonly overview: Overview }) {
  const { organizationSlug } = useScope()
  const { software_versions: versions, devices, projects } = overview
  const [only, ...others] = projects
  if (devices.count === 0) return null
  return (
    <Card title="Software versions">
      <dl className="shares">
        {versions.map(({ software_version: version, devices: amount }) => (
          <div key={version ?? ''}>
            <dt>
              {version !== null && only && others.length === 0 ? (
                <Link
                  to={addressOf(DEVICES, organizationSlug, only.slug)}
                  search={{ software_version: version }}
                >
                  {version}
                </Link>
              ) : (
                (version ?? 'not said')
              )}
            </dt>
            <dd>
              <meter
                aria-label={`Devices with ${version ?? 'no version'}`}
                min={0}
                max={devices.count}
                value={amount}
              />
              {count(amount)} <small>{shareText(amount, devices.count)}</small>
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
