import { Link } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { addressOf } from '../ground/address-of.js'
import { count } from '../ground/amounts.js'
import { projectsOf } from '../ground/queries.js'
import { useScope } from '../ground/scope.js'
import { asked } from '../ground/asked.js'
import { Button } from '../parts/button.js'
import { Chart } from '../parts/chart/chart.js'
import { Command } from '../parts/command.js'
import { Icon } from '../parts/icon.js'
import { Loaded } from '../parts/loaded.js'
import { Card } from '../parts/page.js'
import { Table } from '../parts/table.js'
import { landingOf } from './landing.js'
import type { Overview } from './overview.js'

const WEBHOOKS = '/o/$organization/p/$project/webhooks'

/** The projects with what happens in them. */
export function ProjectsCard({ overview }: { readonly overview: Overview | undefined }) {
  const { user, organization, organizationSlug, refused } = useScope()
  const projects = useQuery(projectsOf(organizationSlug))
  const { points = [], step = 'hour' } = overview ?? {}
  const byId = new Map(overview?.projects.map((project) => [project.id, project]))
  return (
    <Card title="Projects" about="Devices send data to a project, with its project key.">
      <Loaded query={projects} lines={2}>
        {(list) =>
          list.length === 0 ? (
            <NoProject mayCreate={!refused('project:create')} organization={organizationSlug} />
          ) : (
            <Table
              rows={list.map((project) => ({ ...project, counts: byId.get(project.id) }))}
              idOf={({ id }) => id}
              columns={[
                {
                  title: 'Project',
                  isRowHeader: true,
                  sortBy: ({ name }) => name,
                  cell: (project) => (
                    <>
                      {organization && (
                        <Link to={landingOf(user, organization, project)}>{project.name}</Link>
                      )}{' '}
                      <code className="quiet">{project.slug}</code>
                    </>
                  ),
                },
                {
                  title: 'Devices',
                  isNumeric: true,
                  sortBy: ({ counts }) => counts?.devices ?? null,
                  cell: ({ counts }) => counts && count(counts.devices),
                },
                {
                  title: 'Seen today',
                  isNumeric: true,
                  sortBy: ({ counts }) => counts?.devices_today ?? null,
                  cell: ({ counts }) => counts && count(counts.devices_today),
                },
                {
                  title: 'Look-ups',
                  cell: ({ name, counts }) =>
                    counts && (
                      <Chart
                        isSmall
                        {...{ step, shape: 'bars', format: count }}
                        label={`Look-ups per ${step} of ${name}`}
                        series={[{ name: 'Look-ups', tone: 'main' }]}
                        points={points.map(({ at }, index) => ({
                          at,
                          values: [counts.lookups[index] ?? 0],
                        }))}
                      />
                    ),
                },
                {
                  title: 'Webhooks',
                  cell: ({ slug, counts }) => (
                    <FailingWebhooks slug={slug} failing={counts?.failing_webhooks ?? 0} />
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
    </Card>
  )
}

function FailingWebhooks({ slug, failing }: { readonly slug: string; readonly failing: number }) {
  const { organizationSlug } = useScope()
  if (failing === 0) return null
  return (
    <Link to={addressOf(WEBHOOKS, organizationSlug, slug)}>
      <span className="badge bad">{count(failing)} failing</span>
    </Link>
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
      <p className="quiet">No projects yet. Create the first one, here or on the command line:</p>
      <div>
        <Button look="primary" aria-haspopup="dialog" onPress={() => asked.set('project')}>
          <Icon name="plus" /> New project
        </Button>
      </div>
      <Command text={`bearing --org ${organization} projects create Fleet`} />
    </div>
  )
}
