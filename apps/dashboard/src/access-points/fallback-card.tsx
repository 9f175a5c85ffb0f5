import { useQuery } from '@tanstack/react-query'
import { count } from '../ground/amounts.js'
import { client } from '../ground/client.js'
import { useScope } from '../ground/scope.js'
import { AsCommand } from '../parts/command.js'
import { Loaded } from '../parts/loaded.js'
import { Card } from '../parts/page.js'

/** The external provider that is asked if Bearing knows no position. Its key is set on the command line, where it is in no page. */
export function FallbackCard() {
  const { organizationSlug: organization } = useScope()
  const fallback = useQuery({
    queryKey: ['location-fallback', organization],
    queryFn: ({ signal }) => client.call('showLocationFallback', { organization }, { signal }),
  })
  const command = `bearing --org ${organization} location fallback`
  return (
    <Card title="Fallback provider" about="Asked if no position is known here. None by default.">
      <Loaded query={fallback}>
        {({ url, has_key, accuracy_confidence, requests_per_minute, timeout_ms }) => (
          <dl className="facts">
            <dt>Asks</dt>
            <dd>{url === null ? 'none' : <code>{url}</code>}</dd>
            {url !== null && (
              <>
                <dt>Key</dt>
                <dd>{has_key ? 'stored encrypted, never shown' : 'none'}</dd>
                <dt>Its circles hold</dt>
                <dd>{accuracy_confidence} % of the positions</dd>
                <dt>At most</dt>
                <dd>
                  {count(requests_per_minute)} requests a minute, {count(timeout_ms)} ms each
                </dd>
              </>
            )}
          </dl>
        )}
      </Loaded>
      <AsCommand bearing={`${command} set https://provider.example/v1/geolocate\n${command} delete`} />
    </Card>
  )
}
