import { useScope } from '../ground/scope.js'
import { Page } from '../parts/page.js'
import { CoverageMap } from './coverage-map.js'
import { LookupsCard } from './lookups-card.js'
import { EraseCard } from './erase-card.js'
import { FallbackCard } from './fallback-card.js'
import { LocationSettingsCard } from './settings-card.js'
import { StatisticsCard } from './statistics-card.js'

/** `…/location/coverage`. */
export function CoveragePage() {
  const { refused } = useScope()
  return (
    <Page title="Coverage" about="Where your organization's own access points are, and where there are few.">
      {!refused('access-point:read') && (
        <>
          <CoverageMap />
          <StatisticsCard />
          {!refused('device:read') && <LookupsCard />}
        </>
      )}
      {!refused('location-settings:read') && (
        <div className="pair">
          <LocationSettingsCard />
          <FallbackCard />
        </div>
      )}
      <EraseCard />
    </Page>
  )
}
