import type { ReactNode } from 'react'
import { Button } from '../button.js'
import { metersText, niceStep } from './geometry.js'

/** CSS pixels that the scale bar may take. */
const WIDEST = 120

interface Props {
  /** Undefined before anything is shown. */
  readonly metersPerPixel: number | undefined
  /** Name of the tiles' author, from the installation. */
  readonly attribution: string
  /** Notes about the content of the map. */
  readonly notes: readonly (string | undefined)[]
  readonly onZoom: (levels: number) => void
  readonly onFit: () => void
  readonly children: ReactNode
}

/** Surrounds a map: controls, scale, and the origin of its data. */
export function MapFrame({ metersPerPixel, attribution, notes, onZoom, onFit, children }: Props) {
  return (
    <>
      <div className="map-view">
        {children}
        <div className="map-controls" role="group" aria-label="Map">
          <Button look="small" aria-label="Zoom in" onPress={() => onZoom(1)}>
            +
          </Button>
          <Button look="small" aria-label="Zoom out" onPress={() => onZoom(-1)}>
            −
          </Button>
          <Button look="small" onPress={onFit}>
            Show all
          </Button>
        </div>
        {metersPerPixel !== undefined && <ScaleBar metersPerPixel={metersPerPixel} />}
      </div>
      <figcaption className="map-caption quiet">
        <span>
          Natural Earth · Places: <a href="https://www.geonames.org">GeoNames</a>, CC BY 4.0
          {attribution !== '' && ` · ${attribution}`}
        </span>
        <span role="status">{notes.filter((note) => note !== undefined).join(' ')}</span>
      </figcaption>
    </>
  )
}

function ScaleBar({ metersPerPixel }: { readonly metersPerPixel: number }) {
  const meters = niceStep(metersPerPixel * WIDEST)
  const pixels = meters / metersPerPixel
  return (
    <svg
      className="map-scale"
      width={Math.ceil(pixels) + 2}
      height="20"
      role="img"
      aria-label={`Scale: ${metersText(meters)}`}
    >
      <text x="4" y="11">
        {metersText(meters)}
      </text>
      <path d={`M1 13v5h${pixels.toFixed(1)}v-5`} />
    </svg>
  )
}
