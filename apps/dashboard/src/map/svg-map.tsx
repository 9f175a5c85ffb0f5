import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { installation } from '../ground/queries.js'
import type { MapPoint, WorldMapProps } from './features.js'
import { boxAround, boxText, isInBox } from './geometry.js'
import { graticule } from './graticule.js'
import { loadLand } from './land.js'
import { MapFrame } from './map-frame.js'
import { Mark } from './mark.js'
import { EARTH, frameOf, HEIGHT, WIDTH, type Frame } from './svg-frame.js'

/** Points at most; a table beside the map has all. */
const MAX_POINTS = 2_000

/** The map as a drawing, for browsers without WebGL. It has no tiles. */
export function SvgMap({
  label,
  points,
  areas = [],
  lines = [],
  background = [],
  whole,
  selected,
  onSelect,
  firstBox,
  goTo,
  onBox,
}: WorldMapProps) {
  const { data: config } = useQuery(installation)
  const land = useQuery({ queryKey: ['land'], queryFn: loadLand, staleTime: Infinity })
  const content = { points, areas, lines, background, whole }
  const [chosen, choose] = useState<Frame | undefined>(() => firstBox && frameOf(firstBox, 0))
  const [wasAt, setAt] = useState(goTo)
  if (goTo !== wasAt) {
    setAt(goTo)
    choose(goTo && frameOf(goTo))
  }
  const chosenPoint = points.find(({ id }) => id === selected)
  const own = chosen ?? frameOf(boxAround(content) ?? EARTH)
  // The map moves to what is selected elsewhere.
  const frame =
    chosenPoint && !isInBox(own.box, chosenPoint.lat, chosenPoint.lon) ? own.centeredAt(chosenPoint) : own
  const report = useEffectEvent(() => onBox?.(frame.box, chosen !== undefined))
  const box = boxText(frame.box)
  useEffect(() => {
    report()
  }, [box])
  const shown = points.filter(({ lat, lon }) => isInBox(frame.box, lat, lon)).slice(0, MAX_POINTS)
  return (
    <MapFrame
      metersPerPixel={frame.metersPerUnit}
      attribution={config?.map_attribution ?? ''}
      notes={['This browser cannot draw with WebGL: the map is a drawing.']}
      onZoom={(levels) => {
        choose(frame.zoomed(levels))
      }}
      onFit={() => {
        choose(undefined)
      }}
    >
      <svg className="map-canvas" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
        {land.data && <path className="map-land" d={frame.rings(land.data.flat())} />}
        <Grid frame={frame} />
        {areas.map(({ id, share, ...box }) => (
          <rect key={id} className="map-area" opacity={0.1 + 0.6 * share} {...frame.rectangle(box)} />
        ))}
        {background.slice(0, MAX_POINTS).map((point) => (
          <Point key={point.id} frame={frame} point={point} size={5} />
        ))}
        {lines.map(({ id, places }) => (
          <path key={id} className="map-line" d={frame.line(places)} />
        ))}
        {shown.map((point) => (
          <g
            key={point.id}
            className={point.id === selected ? 'map-point selected' : 'map-point'}
            data-point={point.id}
            onClick={() => onSelect?.(point.id)}
          >
            <Circles frame={frame} point={point} />
            <Point frame={frame} point={point} size={point.id === selected ? 14 : 10} />
          </g>
        ))}
      </svg>
    </MapFrame>
  )
}

function Grid({ frame }: { readonly frame: Frame }) {
  const lines = graticule(frame.box)
  return (
    <>
      <path
        className="map-grid"
        d={lines.map(({ from, to }) => `M${frame.at(from)}L${frame.at(to)}`).join('')}
      />
      {lines.map(({ label }) => {
        if (!label) return null
        const { at, text, isMeridian } = label
        const [x, y] = frame.place(at[1], at[0])
        return (
          <text
            key={`${String(isMeridian)}${text}`}
            className="map-text"
            x={x + 4}
            y={isMeridian ? HEIGHT - 6 : y - 4}
          >
            {text}
          </text>
        )
      })}
    </>
  )
}

interface PointProps {
  readonly frame: Frame
  readonly point: MapPoint
}

function Circles({ frame, point: { lat, lon, radii = [], tone, isHatched = false } }: PointProps) {
  const [x, y] = frame.place(lat, lon)
  const isDashed = isHatched && { strokeDasharray: '4 3' }
  return radii.map((meters) => (
    <circle
      key={meters}
      className={`map-circle tone-${tone}`}
      cx={x}
      cy={y}
      r={frame.radius(lat, meters)}
      {...isDashed}
    />
  ))
}

function Point({ frame, point: { lat, lon, shape, tone }, size }: PointProps & { readonly size: number }) {
  const [x, y] = frame.place(lat, lon)
  return <Mark shape={shape} tone={tone} x={x} y={y} size={size} />
}
