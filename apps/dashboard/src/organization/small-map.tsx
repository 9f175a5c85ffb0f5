import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
import { addressOf } from '../ground/address-of.js'
import { counted } from '../ground/amounts.js'
import { client } from '../ground/client.js'
import { useScope, type Named } from '../ground/scope.js'
import { useNow } from '../ground/use-now.js'
import { toMapPoint } from '../parts/map/position.js'
import { WorldMap } from '../parts/map/world-map.js'
import { Card } from '../parts/page.js'

const LOCATION = '/o/$organization/p/$project/location'
/** Devices on the map. */
const MOST = 500
const CONFIDENCE = 68
const AGES_MS = 60_000

/** The last positions of the devices of a project. It is loaded when it is scrolled to. */
export function SmallMap({ project }: { readonly project: Named }) {
  const { organizationSlug: organization } = useScope()
  const [place, isNear] = useNear()
  const positions = useQuery({
    queryKey: ['positions', organization, project.slug, 'home'],
    queryFn: async ({ signal }) => {
      const input = { organization, project: project.slug, per_page: MOST }
      const page = await client.call('listLatestPositions', input, { signal })
      return 'data' in page ? page.data : []
    },
    enabled: isNear,
  })
  const now = useNow(AGES_MS)
  const points = useMemo(
    () => (positions.data ?? []).map((position) => toMapPoint(position, CONFIDENCE, now)),
    [positions.data, now],
  )
  return (
    <Card
      title="Last positions"
      about={<Link to={addressOf(LOCATION, organization, project.slug)}>Map of {project.name}</Link>}
    >
      <div ref={place} className="map-place">
        {points.length > 0 && (
          <WorldMap isSmall label={`Map of ${counted(points.length, 'device')}`} points={points} />
        )}
      </div>
    </Card>
  )
}

/** Returns a reference to an element, and whether it has come near to what is visible. */
function useNear() {
  const place = useRef<HTMLDivElement>(null)
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    if (!place.current) return undefined
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true)
    })
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [])
  return [place, isNear] as const
}
