import { addProtocol, type LayerSpecification, type StyleSpecification } from 'maplibre-gl'
import { loadLand } from './land.js'
import type { Palette } from './palette.js'
import { vectorLayers } from './gl-vector-layers.js'

/** The lowest layers. */
export interface Basemap {
  readonly style: StyleSpecification
  /** Why the map of the installation is not there. */
  readonly problem?: string
}

/**
 * Loads the map that the installation has: a PMTiles file, or else a style of MapLibre. Without one, and if it does not load, it is
 * the land.
 *
 * @param url setting `MAP_URL` of the gateway; empty if there is none
 */
export async function loadBasemap(url: string, palette: Palette): Promise<Basemap> {
  const land = await landStyle(palette)
  if (url === '') return { style: land }
  try {
    const style = isPmtiles(url) ? await pmtilesStyle(url, land, palette) : await remoteStyle(url)
    return { style }
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown error'
    return { style: land, problem: `The map of this installation cannot be loaded: ${reason}` }
  }
}

function isPmtiles(url: string): boolean {
  return new URL(url).pathname.endsWith('.pmtiles')
}

async function remoteStyle(url: string): Promise<StyleSpecification> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`its server answered ${String(response.status)}.`)
  return (await response.json()) as StyleSpecification // MapLibre checks it
}

/** The land, from Natural Earth. Neither borders nor names of countries: there are none that all agree on. */
async function landStyle({ sea, land }: Palette): Promise<StyleSpecification> {
  const coordinates = await loadLand()
  return {
    version: 8,
    sources: {
      land: {
        type: 'geojson',
        data: { type: 'Feature', properties: {}, geometry: { type: 'MultiPolygon', coordinates } },
      },
    },
    layers: [
      { id: 'sea', type: 'background', paint: { 'background-color': sea } },
      { id: 'land', type: 'fill', source: 'land', paint: { 'fill-color': land } },
    ],
  }
}

let hasProtocol = false

async function pmtilesStyle(
  url: string,
  land: StyleSpecification,
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
    ...land,
    sources: {
      ...land.sources,
      tiles: { type, url: `pmtiles://${url}`, ...(type === 'raster' && { tileSize: 256 }) },
    },
    // The land stays below: a file may hold a part of the world only.
    layers: [...land.layers, ...layers],
  }
}
