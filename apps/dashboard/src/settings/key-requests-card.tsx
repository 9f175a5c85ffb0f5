import { useQuery } from '@tanstack/react-query'
import { calling } from '../ground/calling.js'
import { useScope } from '../ground/scope.js'
import { RequestChart } from '../parts/chart/request-chart.js'
import { Loaded } from '../parts/loaded.js'
import { Card } from '../parts/page.js'

/** The requests with the key of a project. */
export function KeyRequestsCard({ title = 'Requests' }: { readonly title?: string }) {
  const { organizationSlug: organization, projectSlug: project } = useScope()
  const usage = useQuery(
    calling(['project-key', organization, project, 'usage'], 'showProjectKeyUsage', {
      organization,
      project,
    }),
  )
  return (
    <Card title={title} about="Of the last 30 days, with this key and replaced keys that still work.">
      <Loaded query={usage} lines={2}>
        {({ days }) => <RequestChart label="Requests per day with the project key" days={days} />}
      </Loaded>
    </Card>
  )
}
