import type { CallOutput } from '@bearing/client/call-types'
import { useQuery } from '@tanstack/react-query'
import { count } from '../ground/amounts.js'
import { client } from '../ground/client.js'
import { useScope } from '../ground/scope.js'
import { Loaded } from '../parts/loaded.js'
import { Card } from '../parts/page.js'
import { Time } from '../parts/time.js'

type Layer = CallOutput<'showAccessPointStatistics'>['organization']

/** How many access points were imported. */
export function StatisticsCard() {
  const { organizationSlug: organization } = useScope()
  const statistics = useQuery({
    queryKey: ['access-point-statistics', organization],
    queryFn: ({ signal }) => client.call('showAccessPointStatistics', { organization }, { signal }),
  })
  return (
    <Card title="Imported access points" about="Your own win over the base layer, which is the operator's.">
      <Loaded query={statistics}>
        {({ organization: own, shared }) => (
          <dl className="facts">
            <LayerFacts name="Your organization" layer={own} />
            <LayerFacts name="Base layer" layer={shared} />
          </dl>
        )}
      </Loaded>
    </Card>
  )
}

function LayerFacts({ name, layer }: { readonly name: string; readonly layer: Layer }) {
  const { access_points, observations, updated_at } = layer
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {count(access_points)} from {count(observations)} observations
        {updated_at !== null && (
          <small>
            changed <Time at={updated_at} />
          </small>
        )}
      </dd>
    </>
  )
}
