import { addProtocol, type LayerSpecification, type StyleSpecification } from 'maplibre-gl'
import { loadBase } from './base.js'
import { LETTERS, type Palette } from './palette.js'
import { vectorLayers } from './gl-vector-layers.js'

/** The lowest layers. */
export interface Basemap {
  readonly style: StyleSpecification
  /** Problem with the map of the installation. */
  readonly problem?: string
}

/**
 * Loads the map that the installation has: a PMTiles file, or else a style of MapLibre. Without one, and if it does not load, it is
 * the base.
 *
 * @param url setting `MAP_URL` of the gateway; empty if there is none
 */
export async function loadBasemap(url: string, palette: Palette): Promise<Basemap> {
  const base = await baseStyle(palette)
  if (url === '') return { style: base }
  try {
    const style = isPmtiles(url)
      ? await pmtilesStyle(new URL(url, window.location.href).href, base, palette)
      : await remoteStyle(url)
    return { style }
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown error'
    return { style: base, problem: `The map of this installation cannot be loaded: ${reason}` }
  }
}

function isPmtiles(url: string): boolean {
  return new URL(url, window.location.href).pathname.endsWith('.pmtiles')
}

async function remoteStyle(url: string): Promise<StyleSpecification> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`its server answered ${String(response.status)}.`)
  return (await response.json()) as StyleSpecification // MapLibre checks it
}

/** Zoom from which places of a rank are named, the largest first. */
const NAMED_FROM = [1, 3, 4.5, 6, 7.5]
/** From here on, tiles name places. */
const TILES_NAME_FROM = 7

/** Coast, borders and places. The largest places are named first; countries are not named. */
async function baseStyle({ sea, land, border, text, halo }: Palette): Promise<StyleSpecification> {
  const base = await loadBase()
  return {
    version: 8,
    sources: {
      land: { type: 'geojson', data: base.land },
      borders: { type: 'geojson', data: base.borders },
      places: { type: 'geojson', data: base.places },
    },
    layers: [
      { id: 'sea', type: 'background', paint: { 'background-color': sea } },
      { id: 'land', type: 'fill', source: 'land', paint: { 'fill-color': land } },
      { id: 'coast', type: 'line', source: 'land', paint: { 'line-color': border, 'line-width': 0.6 } },
      {
        id: 'borders',
        type: 'line',
        source: 'borders',
        paint: { 'line-color': border, 'line-width': ['interpolate', ['linear'], ['zoom'], 2, 0.8, 8, 1.6] },
      },
      {
        id: 'place-names',
        type: 'symbol',
        source: 'places',
        filter: [
          ...['step', ['zoom'], false],
          ...NAMED_FROM.flatMap((zoom, rank) => [zoom, ['<=', ['get', 'rank'], rank]]),
        ] as never, // an expression in parts, which the type cannot follow
        layout: {
          'text-field': ['get', 'name'],
          'text-font': LETTERS,
          'text-size': [
            ...['interpolate', ['linear'], ['zoom']],
            ...[
              3,
              ['match', ['get', 'rank'], 0, 12, 1, 11, 10],
              9,
              ['match', ['get', 'rank'], 0, 20, 1, 17, 2, 15, 13],
            ],
          ] as never, // as above
          'symbol-sort-key': ['get', 'rank'],
          'text-padding': 6,
          'text-max-width': 8,
        },
        paint: { 'text-color': text, 'text-halo-color': halo, 'text-halo-width': 1.2 },
      },
    ],
  }
}

let hasProtocol = false

async function pmtilesStyle(
  url: string,
  base: StyleSpecification,
  palette: Palette,
): Promise<StyleSpecification> {
  const { PMTiles, Protocol, TileType } = await import('pmtiles')
  const { tileType } = await new PMTiles(url).getHeader()
  if (!hasProtocol) addProtocol('pmtiles', new Protocol().tile)
  hasProtocol = true
  const isVector = tileType === TileType.Mvt
  const layers: LayerSpecification[] = isVector
    ? vectorLayers('tiles', palette)
    : [{ id: 'tiles', type: 'raster', source: 'tiles' }]
  const type = isVector ? 'vector' : 'raster'
  return {
    ...base,
    sources: {
      ...base.sources,
      tiles: { type, url: `pmtiles://${url}`, ...(type === 'raster' && { tileSize: 256 }) },
    },
    // The base stays below: a file may hold a part of the world only.
    layers: [
      ...base.layers.map((layer) =>
        isVector && layer.id === 'place-names' ? { ...layer, maxzoom: TILES_NAME_FROM } : layer,
      ),
      ...layers,
    ],
  }
}
