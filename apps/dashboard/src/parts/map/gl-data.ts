import type { Feature, FeatureCollection } from 'geojson'
import { circleAround } from './geometry.js'
import type { MapArea, MapLine, MapPoint } from './features.js'

/** Returns features as MapLibre draws them: GeoJSON (RFC 7946). */
export const collection = (features: Feature[]): FeatureCollection => ({
  type: 'FeatureCollection',
  features,
})

export function pointFeature({ id, lat, lon, shape, tone, label, isHatched = false }: MapPoint): Feature {
  return {
    type: 'Feature',
    properties: { id, shape, tone, label, isHatched },
    geometry: { type: 'Point', coordinates: [lon, lat] },
  }
}

/** The circles of a point, in true meters. */
export function circleFeatures({ id, lat, lon, radii = [], tone, isHatched = false }: MapPoint): Feature[] {
  return radii.map((meters) => ({
    type: 'Feature',
    properties: { id, tone, isHatched },
    geometry: { type: 'Polygon', coordinates: [circleAround(lat, lon, meters)] },
  }))
}

/** A cell of a heat map. `pixels`: how wide it is where the whole Earth is 512 pixels wide. */
export function areaFeature({ id, west, south, east, north, share }: MapArea): Feature {
  const pixels = ((east - west) / 360) * 512
  const coordinates = [(west + east) / 2, (south + north) / 2]
  return { type: 'Feature', properties: { id, share, pixels }, geometry: { type: 'Point', coordinates } }
}

/** Across the antimeridian the line continues beyond 180 degrees, the short way. */
export function lineFeature({ id, places }: MapLine): Feature {
  let before: number | undefined
  const coordinates = places.map(({ lat, lon }) => {
    const near = before === undefined ? lon : lon + 360 * Math.round((before - lon) / 360)
    before = near
    return [near, lat]
  })
  return { type: 'Feature', properties: { id }, geometry: { type: 'LineString', coordinates } }
}
