import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useSampleScan } from '../parts/sample-scan.js'
import { locateCommand } from '../parts/token-samples.js'
import { useOwnAccessPoints } from './use-own-access-points.js'
import { addressOf } from '../ground/address-of.js'
import { calling } from '../ground/calling.js'
import { installation } from '../ground/queries.js'
import { useScope } from '../ground/scope.js'
import { boxText } from '../parts/map/geometry.js'
import { WorldMap } from '../parts/map/world-map.js'
import { Command, quoted } from '../parts/command.js'
import { Loaded } from '../parts/loaded.js'

/** Interval between requests for the first positions, in milliseconds. */
const RECHECK_MS = 5_000
const NONE = [] as const
const SETTINGS = '/o/$organization/p/$project/settings/positions'
const IMPORTS = '/o/$organization/p/$project/location/imports'

/** Shows the commands for a first position. The page shows it when it is there. */
export function NoPositions() {
  const { organizationSlug: organization, projectSlug: project, refused } = useScope()
  const config = useQuery(installation)
  const [bbox, setBbox] = useState('')
  const { areas, accessPoints } = useOwnAccessPoints(bbox)
  const policy = useQuery({
    ...calling(['position-policy', organization, project], 'showPositionPolicy', { organization, project }),
    refetchInterval: ({ state }) => (state.data?.store_positions ? false : RECHECK_MS),
    enabled: !refused('data-policy:read'),
  })
  const scope = `--org ${quoted(organization)} --project ${quoted(project)}`
  const url = config.data?.public_url ?? ''
  const scan = useSampleScan()
  return (
    <>
      <div className="empty">
        <Loaded query={policy} lines={2}>
          {({ store_positions: isStoring }) =>
            isStoring ? (
              <>
                <h2>No device has a position yet</h2>
                <p className="quiet">
                  A position is stored when a request names the serial number of the device as{' '}
                  <code>device_id</code>.{' '}
                  {scan
                    ? 'With an organization auth token in the variable BEARING_ORG_TOKEN:'
                    : 'First import access points.'}
                </p>
                {scan ? (
                  <Command
                    text={locateCommand(url, { organization, project }, scan, { device_id: 'UNIT-1' })}
                  />
                ) : (
                  <Link to={addressOf(IMPORTS, organization, project)}>Import access points</Link>
                )}
              </>
            ) : (
              <>
                <h2>This project does not store positions yet</h2>
                <p className="quiet">
                  Switch it on in the settings,{' '}
                  <Link to={addressOf(SETTINGS, organization, project)}>Positions</Link>, or on the command
                  line. Positions are then kept for 30 days. This page continues automatically.
                </p>
                <Command text={`bearing ${scope} positions policy set --store yes`} />
              </>
            )
          }
        </Loaded>
      </div>
      <WorldMap
        label="Map without devices"
        points={NONE}
        areas={areas}
        background={accessPoints}
        onBox={(box, isChosen) => setBbox(isChosen ? boxText(box) : '')}
      />
    </>
  )
}
