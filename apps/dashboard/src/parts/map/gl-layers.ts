import type { GeoJSONSourceSpecification, LayerSpecification } from 'maplibre-gl'
import { LETTERS, type Palette } from './palette.js'
import { TONES } from './features.js'

/** Zoom up to which points are clustered, and pixels within which they are. */
const CLUSTER_ZOOM = 9
const CLUSTER_RADIUS = 44

/** The sources of what a map draws above its tiles. */
export const SOURCES = ['areas', 'background', 'lines', 'circles', 'points', 'selected'] as const
export type Source = (typeof SOURCES)[number]

/** The layers of points and clusters, which can be clicked. */
export const CLICKABLE = ['points', 'clusters']

export function sourceOf(name: Source): GeoJSONSourceSpecification {
  const data = { type: 'FeatureCollection' as const, features: [] }
  return { type: 'geojson', data, ...(name === 'points' && clusterOptions(false)) }
}

export function clusterOptions(cluster: boolean) {
  return { cluster, clusterMaxZoom: CLUSTER_ZOOM, clusterRadius: CLUSTER_RADIUS }
}

/** Access points are smaller where many are in view, and named only in a street: their names are long. */
const IS_ACCESS_POINT = ['==', ['get', 'shape'], 'diamond'] as never // as above
const STREET_ZOOM = 16

/** Icons are shown wherever they are, one above the other. */
const ICON = {
  'icon-image': ['get', 'shape'] as never, // an expression, which the type cannot follow
  'icon-allow-overlap': true,
  'icon-ignore-placement': true,
}
const IS_CLUSTER = ['has', 'point_count'] as never // as above
const IS_SINGLE = ['!', IS_CLUSTER] as never // as above

function toneOf(palette: Palette) {
  return ['match', ['get', 'tone'], ...TONES.flatMap((name) => [name, palette[name]]), palette.plain] as never // as above
}

function labelOf({ text, halo }: Palette) {
  return { 'text-color': text, 'text-halo-color': halo, 'text-halo-width': 1.5 }
}

/** Widths of its cell that a cell of the heat map is blurred over. */
const CELL_RADII = 1.6

/** Returns a color of the stylesheet with an opacity. */
function faded(color: string, opacity: number): string {
  const [red = 0, green = 0, blue = 0] = (color.match(/[\d.]+/g) ?? []).map(Number)
  return `rgba(${[red, green, blue, opacity].join()})`
}

/** Returns the layers of these sources, the lowest first. */
export function layersOf(palette: Palette): LayerSpecification[] {
  return [
    ...lowLayers(palette),
    ...circleLayers('circles', toneOf(palette), 0.1),
    ...clusterLayers(palette),
    ...pointLayers(palette),
    ...circleLayers('selected', palette.selected, 0.16),
    selectedLayer(palette),
  ]
}

function lowLayers(palette: Palette): LayerSpecification[] {
  return [
    {
      id: 'areas',
      type: 'heatmap',
      source: 'areas',
      paint: {
        'heatmap-weight': ['get', 'share'],
        'heatmap-intensity': 0.6,
        // As wide as its cell at every zoom.
        'heatmap-radius': [
          ...['interpolate', ['exponential', 2], ['zoom'], 0, ['*', ['get', 'pixels'], CELL_RADII]],
          ...[22, ['*', ['get', 'pixels'], CELL_RADII * 2 ** 22]],
        ] as never, // as above
        'heatmap-color': [
          ...['interpolate', ['linear'], ['heatmap-density'], 0, faded(palette.accent, 0)],
          ...[0.25, faded(palette.accent, 0.35), 0.6, faded(palette.accent, 0.65)],
          ...[1, faded(palette.attention, 0.8)],
        ] as never, // as above
      },
    },
    {
      id: 'background',
      type: 'symbol',
      source: 'background',
      layout: { ...ICON, 'icon-size': 0.42 },
      paint: { 'icon-color': toneOf(palette), 'icon-opacity': 0.7 },
    },
    {
      id: 'lines',
      type: 'line',
      source: 'lines',
      layout: { 'line-join': 'round' },
      paint: { 'line-color': palette.accent, 'line-width': 2, 'line-opacity': 0.7 },
    },
  ]
}

function clusterLayers(palette: Palette): LayerSpecification[] {
  return [
    {
      id: 'clusters',
      type: 'circle',
      source: 'points',
      filter: IS_CLUSTER,
      paint: {
        'circle-color': palette.accent,
        'circle-stroke-color': palette.halo,
        'circle-stroke-width': 2,
        'circle-radius': ['interpolate', ['linear'], ['log10', ['get', 'point_count']], 0, 10, 4, 30],
      },
    },
    {
      id: 'cluster-counts',
      type: 'symbol',
      source: 'points',
      filter: IS_CLUSTER,
      layout: {
        'text-font': LETTERS,
        'text-field': ['get', 'point_count_abbreviated'],
        'text-size': 12,
        'text-allow-overlap': true,
      },
      paint: { 'text-color': palette.halo },
    },
  ]
}

function pointLayers(palette: Palette): LayerSpecification[] {
  return [
    {
      id: 'points',
      type: 'symbol',
      source: 'points',
      filter: IS_SINGLE,
      layout: {
        ...ICON,
        'icon-size': [
          ...['interpolate', ['linear'], ['zoom']],
          ...[STREET_ZOOM - 3, ['case', IS_ACCESS_POINT, 0.5, 0.8], STREET_ZOOM, 0.8],
        ] as never, // as above
      },
      paint: { 'icon-color': toneOf(palette), 'icon-halo-color': palette.halo, 'icon-halo-width': 1.5 },
    },
    {
      id: 'point-labels',
      type: 'symbol',
      source: 'points',
      filter: IS_SINGLE,
      minzoom: 13,
      layout: {
        'text-font': LETTERS,
        'text-field': [
          ...['step', ['zoom'], ['case', IS_ACCESS_POINT, '', ['get', 'label']]],
          ...[STREET_ZOOM, ['get', 'label']],
        ] as never, // as above
        'text-size': 11,
        'text-anchor': 'top',
        'text-offset': [0, 0.8],
      },
      paint: labelOf(palette),
    },
  ]
}

function selectedLayer(palette: Palette): LayerSpecification {
  return {
    id: 'selected',
    type: 'symbol',
    source: 'selected',
    filter: ['==', ['geometry-type'], 'Point'],
    layout: {
      ...ICON,
      'icon-size': 1.1,
      'text-font': LETTERS,
      'text-field': ['get', 'label'],
      'text-size': 12,
      'text-anchor': 'top',
      'text-offset': [0, 1],
      'text-allow-overlap': true,
    },
    paint: {
      ...labelOf(palette),
      'icon-color': toneOf(palette),
      'icon-halo-color': palette.selected,
      'icon-halo-width': 2.5,
    },
  }
}

/** Filled, or hatched if it comes from another provider; and outlined. */
function circleLayers(source: 'circles' | 'selected', color: string, opacity: number): LayerSpecification[] {
  const hatched = ['all', ['==', ['geometry-type'], 'Polygon'], ['get', 'isHatched']] as never // an expression
  return [
    {
      id: `${source}-fill`,
      type: 'fill',
      source,
      filter: ['==', ['geometry-type'], 'Polygon'],
      paint: { 'fill-color': color, 'fill-opacity': opacity, 'fill-antialias': false },
    },
    { id: `${source}-hatch`, type: 'fill', source, filter: hatched, paint: { 'fill-pattern': 'hatch' } },
    {
      id: `${source}-line`,
      type: 'line',
      source,
      filter: ['==', ['geometry-type'], 'Polygon'],
      paint: { 'line-color': color, 'line-width': source === 'selected' ? 2 : 1, 'line-opacity': 0.8 },
    },
  ]
}
