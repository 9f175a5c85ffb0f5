import type { LayerSpecification } from 'maplibre-gl'
import { LETTERS, type Palette } from './palette.js'

const RIVERS = ['river', 'stream', 'canal']

/**
 * Returns the layers of vector tiles of Protomaps ("basemap" 4), in colors of the dashboard. Borders and names of countries are in
 * the tiles, and are left out.
 */
export function vectorLayers(source: string, palette: Palette): LayerSpecification[] {
  const { land, sea, road, building } = palette
  const base = { source, type: 'fill' as const }
  return [
    { ...base, id: 'earth', 'source-layer': 'earth', paint: { 'fill-color': land } },
    {
      ...base,
      id: 'water',
      'source-layer': 'water',
      filter: ['==', ['geometry-type'], 'Polygon'],
      paint: { 'fill-color': sea },
    },
    {
      id: 'rivers',
      source,
      type: 'line',
      'source-layer': 'water',
      filter: ['in', ['get', 'kind'], ['literal', RIVERS]],
      minzoom: 9,
      paint: { 'line-color': sea, 'line-width': 1.5 },
    },
    {
      id: 'roads',
      source,
      type: 'line',
      'source-layer': 'roads',
      paint: {
        'line-color': road,
        'line-width': [
          ...['interpolate', ['exponential', 1.6], ['zoom']],
          ...[6, ['match', ['get', 'kind'], 'highway', 0.8, 0]],
          ...[12, ['match', ['get', 'kind'], 'highway', 3, 'major_road', 2, 0.6]],
          ...[18, ['match', ['get', 'kind'], 'highway', 26, 'major_road', 22, ['path', 'rail'], 2, 12]],
        ] as never, // an expression in parts, which the type cannot follow
      },
    },
    {
      ...base,
      id: 'buildings',
      'source-layer': 'buildings',
      minzoom: 14,
      paint: { 'fill-color': building },
    },
    ...nameLayers(source, palette),
  ]
}

function nameLayers(source: string, { text, halo }: Palette): LayerSpecification[] {
  const label = { 'text-color': text, 'text-halo-color': halo, 'text-halo-width': 1.5 }
  return [
    {
      id: 'road-names',
      source,
      type: 'symbol',
      'source-layer': 'roads',
      minzoom: 14,
      layout: {
        'symbol-placement': 'line',
        'text-font': LETTERS,
        'text-field': ['get', 'name'],
        'text-size': 11,
      },
      paint: label,
    },
    {
      id: 'places',
      source,
      type: 'symbol',
      // Below, the base map names places.
      minzoom: 7,
      'source-layer': 'places',
      filter: ['!', ['in', ['get', 'kind'], ['literal', ['country', 'region']]]],
      layout: {
        'text-font': LETTERS,
        'text-field': ['get', 'name'],
        'text-size': ['interpolate', ['linear'], ['zoom'], 3, 11, 12, 15],
      },
      paint: label,
    },
  ]
}
