import { Map as GlMap, type GeoJSONSource, type LngLatBoundsLike, type PointLike } from 'maplibre-gl'
import type { Feature } from 'geojson'
import type { Box, MapContent } from './features.js'
import { boxAround, clampLatitude, isInBox, widened, wrapLongitude } from './geometry.js'
import type { Basemap } from './gl-basemap.js'
import { areaFeature, circleFeatures, collection, lineFeature, pointFeature } from './gl-data.js'
import { CLICKABLE, clusterOptions, layersOf, SOURCES, sourceOf, type Source } from './gl-layers.js'
import { hatchImage, shapeImages } from './gl-shapes.js'
import type { Palette } from './palette.js'

/** Circles at most: a computer without a graphics card cannot draw more at a time. */
const MAX_CIRCLES = 2_000
/** Circles are shown from this zoom on; a few are shown at every zoom. */
const CIRCLES_BEGIN = 10
const FEW = 200
const MAX_ZOOM = 20
/** The closest that the map goes unasked: one device is shown with what is around it. */
const FIT_ZOOM = 16
const PADDING = 40
/** Pixels around the pointer in which a point is hit. */
const HIT = 5

/** Always the same object, so that a map shows it once. */
const NONE: readonly never[] = []

/** Report of a map that has moved. */
export interface View {
  readonly box: Box
  readonly metersPerPixel: number
  /** Points in view whose circles are left out, because there are too many. */
  readonly circlesLeftOut: number
}

export interface EngineOptions {
  readonly host: HTMLElement
  readonly label: string
  readonly basemap: Basemap
  readonly palette: Palette
  readonly firstBox: Box | undefined
  readonly onSelect: (id: string | undefined) => void
  /** After each frame in which the map has moved. */
  readonly onView: (view: View) => void
  /** At the end of a move; `isChosen`: by the user, not to show everything. */
  readonly onBox: (box: Box, isChosen: boolean) => void
}

/** Draws a map with MapLibre. */
export class GlEngine {
  private readonly map: GlMap
  private content: MapContent = { points: [] }
  private selected: string | undefined
  private isReady = false
  private isClustered: boolean | undefined
  private isFitted: boolean
  private circlesLeftOut = 0
  private readonly shown = new Map<Source, readonly unknown[]>()

  /** @throws if the browser cannot draw with WebGL */
  constructor(private readonly options: EngineOptions) {
    const { host, label, basemap, palette, firstBox } = options
    this.isFitted = firstBox !== undefined
    const { style } = basemap
    this.map = new GlMap({
      container: host,
      style: {
        ...style,
        sources: { ...style.sources, ...Object.fromEntries(SOURCES.map((name) => [name, sourceOf(name)])) },
        layers: [...style.layers, ...layersOf(palette)],
      },
      // It parses HTML, which Trusted Types forbid; what there is to say stands below the map.
      attributionControl: false,
      ...(firstBox ? { bounds: boundsOf(firstBox) } : { center: [10, 25], zoom: 0.6 }),
      maxZoom: MAX_ZOOM,
      maxPitch: 0,
      // Labels that fade in keep a computer without a graphics card busy, and explain nothing.
      fadeDuration: 0,
      dragRotate: false,
      touchPitch: false,
      locale: { 'Map.Title': label },
    })
    this.map.keyboard.disableRotation()
    this.map.touchZoomRotate.disableRotation()
    this.map.once('style.load', () => {
      for (const [shape, image] of shapeImages())
        this.map.addImage(shape, image, { sdf: true, pixelRatio: 2 })
      this.map.addImage('hatch', hatchImage(palette.attention), { pixelRatio: 2 })
    })
    // Once at the start, and once more after each loss of the graphics context, which takes the sources along.
    this.map.on('style.load', () => {
      this.isReady = true
      this.shown.clear()
      this.isClustered = undefined
      this.draw()
      this.moved()
    })
    this.map.on('webglcontextlost', () => {
      this.isReady = false
    })
    this.map.on('idle', () => {
      host.ariaBusy = 'false'
    })
    for (const event of ['movestart', 'resize'] as const)
      this.map.on(event, () => {
        host.ariaBusy = 'true'
      })
    this.map.on('move', () => this.report())
    this.map.on('moveend', (event) => {
      if (!this.isReady) return
      this.moved()
      // Resizing moves the map too, and so does selecting.
      if ('originalEvent' in event || 'isFit' in event) this.options.onBox(this.box(), !('isFit' in event))
    })
    this.map.on('click', ({ point }) => void this.click(point))
    this.map.on('mousemove', ({ point }) =>
      this.map.getCanvas().classList.toggle('over', this.hitAt(point) !== undefined),
    )
  }

  /** Ends it: what is asked of it afterwards does nothing. A page asks once more when colors and data change together. */
  remove(): void {
    this.isReady = false
    this.map.remove()
  }

  show(content: MapContent): void {
    this.content = content
    if (this.isReady) this.draw()
  }

  /** Highlights a point, and moves to it if it cannot be seen. */
  select(id: string | undefined): void {
    if (id === this.selected) return
    this.selected = id
    if (!this.isReady) return
    this.drawSelected()
    const point = this.content.points.find((candidate) => candidate.id === id)
    if (point && !isInBox(this.box(), point.lat, point.lon))
      this.map.easeTo({ center: [point.lon, point.lat], zoom: Math.max(this.map.getZoom(), CIRCLES_BEGIN) })
  }

  /** Shows a box, as if the user had moved there. */
  goTo(box: Box): void {
    this.isFitted = true
    this.whenReady(() => this.map.fitBounds(boundsOf(box), { padding: PADDING }, { originalEvent: 'page' }))
  }

  zoomBy(levels: number): void {
    this.whenReady(() => this.map.easeTo({ zoom: this.map.getZoom() + levels }, { originalEvent: 'button' }))
  }

  /** Shows everything. */
  fit(): void {
    const box = boxAround(this.content)
    if (!box) return
    const options = { padding: PADDING, maxZoom: FIT_ZOOM, animate: this.isFitted }
    this.map.fitBounds(boundsOf(box), options, { isFit: true })
    this.isFitted = true
  }

  /** Moves before the style is there would not be reported, so an early one waits for it. */
  private whenReady(act: () => void): void {
    if (this.isReady) act()
    else void this.map.once('style.load', act)
  }

  private draw(): void {
    const { points, areas = NONE, lines = NONE, background = NONE } = this.content
    const isClustered = points.length > FEW
    if (isClustered !== this.isClustered)
      void this.source('points').setClusterOptions(clusterOptions(isClustered))
    this.isClustered = isClustered
    this.setIfNew('points', points, pointFeature)
    this.setIfNew('areas', areas, areaFeature)
    this.setIfNew('lines', lines, lineFeature)
    this.setIfNew('background', background, pointFeature)
    this.drawSelected()
    this.drawCircles()
    if (!this.isFitted) this.fit()
  }

  private drawSelected(): void {
    const point = this.content.points.find(({ id }) => id === this.selected)
    this.set('selected', point ? [...circleFeatures(point), pointFeature(point)] : [])
  }

  /** Draws the circles of what can be seen, and of what is near. */
  private drawCircles(): void {
    const { points } = this.content
    const isFar = this.map.getZoom() < CIRCLES_BEGIN && points.length > FEW
    const box = widened(this.box())
    const near = isFar ? [] : points.filter(({ lat, lon }) => isInBox(box, lat, lon))
    const shown = near.length > MAX_CIRCLES ? [] : near
    this.circlesLeftOut = near.length - shown.length
    this.set('circles', shown.flatMap(circleFeatures))
  }

  private moved(): void {
    if (!this.isReady) return
    this.drawCircles()
    this.report()
  }

  private report(): void {
    const { lat } = this.map.getCenter()
    // A pixel of the tile of 512 that shows the whole equator at zoom 0.
    const metersPerPixel = (78_271.517 * Math.cos((lat * Math.PI) / 180)) / 2 ** this.map.getZoom()
    this.options.onView({ box: this.box(), metersPerPixel, circlesLeftOut: this.circlesLeftOut })
  }

  private async click(point: { readonly x: number; readonly y: number }): Promise<void> {
    const hit = this.hitAt(point)
    const cluster: unknown = hit?.properties?.['cluster_id']
    if (typeof cluster !== 'number') {
      const id: unknown = hit?.properties?.['id']
      this.options.onSelect(typeof id === 'string' ? id : undefined)
      return
    }
    const zoom = await this.source('points').getClusterExpansionZoom(cluster)
    const [lon = 0, lat = 0] = hit?.geometry.type === 'Point' ? hit.geometry.coordinates : []
    this.map.easeTo({ center: [lon, lat], zoom })
  }

  private hitAt({ x, y }: { readonly x: number; readonly y: number }): Feature | undefined {
    if (!this.isReady) return undefined
    const around: [PointLike, PointLike] = [
      [x - HIT, y - HIT],
      [x + HIT, y + HIT],
    ]
    return this.map.queryRenderedFeatures(around, { layers: CLICKABLE })[0]
  }

  private box(): Box {
    const bounds = this.map.getBounds()
    const [west, east] = [bounds.getWest(), bounds.getEast()]
    const isWhole = east - west >= 360
    return {
      west: isWhole ? -180 : wrapLongitude(west),
      south: clampLatitude(bounds.getSouth()),
      east: isWhole ? 180 : wrapLongitude(east),
      north: clampLatitude(bounds.getNorth()),
    }
  }

  private source(name: Source): GeoJSONSource {
    const source = this.map.getSource<GeoJSONSource>(name)
    if (!source) throw new Error(`The map has no source ${name}.`)
    return source
  }

  /** Access points come after the devices, which do not change then. */
  private setIfNew<Item>(name: Source, items: readonly Item[], toFeature: (item: Item) => Feature): void {
    if (this.shown.get(name) === items) return
    this.shown.set(name, items)
    this.set(name, items.map(toFeature))
  }

  private set(name: Source, features: Feature[]): void {
    this.options.host.ariaBusy = 'true'
    void this.source(name).setData(collection(features))
  }
}

function boundsOf({ west, south, east, north }: Box): LngLatBoundsLike {
  return [west, south, west <= east ? east : east + 360, north]
}
