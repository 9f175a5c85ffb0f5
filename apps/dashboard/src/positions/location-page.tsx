import { useState } from 'react'
import { useScope } from '../ground/scope.js'
import { useUrlState } from '../ground/url-state.js'
import { Loaded } from '../parts/loaded.js'
import { preloadMap } from '../parts/map/world-map.js'
import { Page } from '../parts/page.js'
import { Fleet } from './fleet.js'
import { NoPositions } from './no-positions.js'
import { STATE } from './page-state.js'
import { usePositions } from './use-positions.js'

preloadMap()

/** `…/location`: where the devices of the project are. */
export function LocationPage() {
  const { organizationSlug: organization, projectSlug: project, project: shown, refused } = useScope()
  const [state, change] = useUrlState(STATE)
  const refusal = refused('device-data:read')
  const [bbox, setBbox] = useState(state.box)
  const { whole, data } = usePositions({
    ...{ organization, project, bbox },
    since: state.since,
    isEnabled: !refusal,
  })
  return (
    <Page isWide title="Map" about={`Last known positions of the devices of ${shown?.name ?? project}`}>
      {refusal ? (
        <p className="notice">{refusal.message}</p>
      ) : (
        <Loaded query={whole} lines={8}>
          {(first) =>
            first.list.length === 0 && state.since === '' ? (
              <NoPositions />
            ) : (
              <Fleet
                positions={data ?? first}
                state={state}
                change={change}
                bbox={bbox}
                onBox={(box, isChosen) => {
                  setBbox(box)
                  change({ box: isChosen ? box : '' })
                }}
              />
            )
          }
        </Loaded>
      )}
    </Page>
  )
}
