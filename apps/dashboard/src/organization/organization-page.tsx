import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { addressOf } from '../ground/address-of.js'
import { PAGE_PATHS } from '../ground/page-paths.js'
import { projectsOf } from '../ground/queries.js'
import { useScope } from '../ground/scope.js'
import { Command } from '../parts/command.js'
import { Loaded } from '../parts/loaded.js'
import { Card, Page, Skeleton } from '../parts/page.js'
import { Problem } from '../parts/problem.js'
import type { Need } from './needs.js'
import { landingOf } from './landing.js'
import { MAX_PROJECTS, useAttention } from './use-attention.js'

/** `/app/o/:organization`: what needs attention, and the projects. */
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
  return (
    <Page title="Home" about={organization.name}>
      <NeedsAttention />
      <Projects />
      <FirstSteps />
    </Page>
  )
}

function NeedsAttention() {
  const { needs, isPending, isPartial, error, refetch } = useAttention()
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
                  Checked: what you may read, and the webhooks of the first {MAX_PROJECTS} projects.
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

function Projects() {
  const { user, organization, organizationSlug, refused } = useScope()
  const projects = useQuery(projectsOf(organizationSlug))
  return (
    <Card title="Projects" about="Devices send data to a project, with its project key.">
      <Loaded query={projects} lines={2}>
        {(list) =>
          list.length === 0 ? (
            <NoProject mayCreate={!refused('project:create')} organization={organizationSlug} />
          ) : (
            <ul className="links">
              {list.map((project) => (
                <li key={project.id}>
                  {organization && <Link to={landingOf(user, organization, project)}>{project.name}</Link>}
                  <code className="quiet">{project.slug}</code>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  )
}

function NoProject({
  mayCreate,
  organization,
}: {
  readonly mayCreate: boolean
  readonly organization: string
}) {
  if (!mayCreate)
    return <p className="quiet">There is no project yet that you may see. Ask an admin for a role in one.</p>
  return (
    <div className="stack-s">
      <p className="quiet">There is no project yet. Create the first one:</p>
      <Command text={`bearing --org ${organization} projects create Fleet`} />
    </div>
  )
}

/** From nothing to a position on the map. */
const STEPS = [
  { path: '/o/$organization/admin/tokens', text: 'Create a token', about: 'for your backend or CI' },
  {
    path: '/o/$organization/p/$project/settings/project-key',
    text: 'Send a chunk',
    about: 'as a device does',
  },
  {
    path: '/o/$organization/p/$project/location/imports',
    text: 'Import access points',
    about: 'from a file',
  },
  { path: '/o/$organization/p/$project/location/try', text: 'Look up a position', about: 'of a Wi-Fi scan' },
  { path: '/o/$organization/p/$project/location', text: 'See your devices', about: 'on the map' },
] as const

function FirstSteps() {
  const { organizationSlug: organization } = useScope()
  const projects = useQuery(projectsOf(organization))
  const [first] = projects.data ?? []
  if (!first) return null
  return (
    <Card title="First steps" about={`In the project ${first.name}.`}>
      <ol className="links">
        {STEPS.filter(({ path }) => PAGE_PATHS.has(path)).map(({ path, text, about }) => (
          <li key={path}>
            <Link to={addressOf(path, organization, first.slug)}>{text}</Link>
            <span className="quiet">{about}</span>
          </li>
        ))}
      </ol>
    </Card>
  )
}
