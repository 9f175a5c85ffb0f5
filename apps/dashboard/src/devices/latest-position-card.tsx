import type { CallOutput } from '@bearing/client/call-types'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { addressOf } from '../ground/address-of.js'
import { meters, count } from '../ground/amounts.js'
import { client } from '../ground/client.js'
import { useScope } from '../ground/scope.js'
import { useNow } from '../ground/use-now.js'
import { ConfirmButton } from '../parts/confirm.js'
import { Copied, Facts } from '../parts/facts.js'
import { Loaded } from '../parts/loaded.js'
import type { MapContent } from '../parts/map/features.js'
import { heightFacts } from '../parts/map/height.js'
import { METHODS, toMapPoint } from '../parts/map/position.js'
import { WorldMap } from '../parts/map/world-map.js'
import { Card } from '../parts/page.js'
import { useSave } from '../parts/save-form.js'
import { Time } from '../parts/time.js'

type Position = CallOutput<'listDevicePositions'>['data'][number]

const SETTINGS = '/o/$organization/p/$project/settings/positions'
/** Positions of the track. The timeline has all. */
const TRACK = 50
/** Interval between updates of its age, in milliseconds. */
const AGES_MS = 60_000

/** Shows the last position of a device, and its way there. */
export function LatestPositionCard({ serial }: { readonly serial: string }) {
  const { organizationSlug: organization, projectSlug: project, refused } = useScope()
  const why = refused('device-data:read')
  const track = useQuery({
    queryKey: ['device', organization, project, serial, 'track'],
    queryFn: async ({ signal }) => {
      const input = { organization, project, device_serial: serial, per_page: TRACK }
      return (await client.call('listDevicePositions', input, { signal })).data
    },
    enabled: !why,
  })
  return (
    <Card title="Last position">
      {why ? (
        <p className="quiet">Positions are shown to members of the project.</p>
      ) : (
        <Loaded query={track} lines={2}>
          {(positions) => {
            const [last] = positions
            return last ? (
              <>
                <Facts facts={factsOf(last)} />
                <Track serial={serial} positions={positions} />
                <ErasePositions serial={serial} />
              </>
            ) : (
              <p className="quiet">
                No position is stored. A position is stored if it is asked for with this serial number as{' '}
                <code>device_id</code>, and the project{' '}
                <Link to={addressOf(SETTINGS, organization, project)}>stores positions</Link>.
              </p>
            )
          }}
        </Loaded>
      )}
    </Card>
  )
}

function factsOf(position: Position) {
  const { lat, lon, uncertainty, confidence, resolved_at: at, fulfilledWith, fallback } = position
  const shown = `${lat.toFixed(6)}, ${lon.toFixed(6)}`
  return {
    'Latitude, longitude': <Copied text={shown} of="position" copied={`${String(lat)},${String(lon)}`} />,
    Within: `${meters(uncertainty)}, in ${String(confidence)} of 100 cases`,
    ...heightFacts(position),
    Determined: <Time at={at} />,
    With: (
      <>
        {METHODS[fulfilledWith].text}
        {fallback && <span className="badge attention">fallback</span>}
      </>
    ),
  }
}

function ErasePositions({ serial }: { readonly serial: string }) {
  const { organizationSlug: organization, projectSlug: project } = useScope()
  const input = { organization, project, device_serial: serial }
  const { make } = useSave('deleteDevicePositions', input, ['device', organization, project, serial])
  return (
    <div>
      <ConfirmButton
        look="small danger"
        permission="device:delete"
        text="Delete the positions"
        title={`Delete the positions of ${serial}?`}
        verb="Delete"
        onConfirm={make}
      >
        <p>All stored positions of the device are deleted. Later ones are stored again.</p>
      </ConfirmButton>
    </div>
  )
}

/** The last positions on a map, the newest with its circle. The timeline has the same as a list. */
function Track({ serial, positions }: { readonly serial: string; readonly positions: readonly Position[] }) {
  const now = useNow(AGES_MS)
  const content = useMemo(() => contentOf(serial, positions, now), [serial, positions, now])
  const before = positions.length - 1
  return (
    <WorldMap
      isSmall
      label={before === 0 ? 'Last position' : `Last position, and the ${count(before)} before it`}
      {...content}
    />
  )
}

function contentOf(serial: string, positions: readonly Position[], nowMs: number): MapContent {
  const points = positions.map((position) =>
    toMapPoint({ ...position, device_serial: serial }, position.confidence, nowMs),
  )
  return {
    points: points.slice(0, 1),
    background: points.slice(1).map((point, index) => ({ ...point, id: String(index), tone: 'plain' })),
    lines: points.length > 1 ? [{ id: 'track', places: points }] : [],
  }
}
