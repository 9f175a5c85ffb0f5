import { lazy, Suspense, useState } from 'react'
import { Skeleton } from '../page.js'
import type { WorldMapProps } from './features.js'
import { loadBase } from './base.js'

// MapLibre is ten times as large as everything else on a page: it is loaded when a map is shown.
const load = () => import('./gl-map.js')
const GlMap = lazy(load)

/** Loads the map beside the request for what it shows, rather than after it. */
export function preloadMap(): void {
  if (!canUseGl()) return
  void load()
  void loadBase()
}

/**
 * A map: points in the shapes and colors of their kinds with circles in true meters, areas and lines, above the land and the tiles that
 * this installation has. Show a table with the same data beside it: without WebGL there is no map.
 */
export function WorldMap(props: WorldMapProps) {
  const [isGl, setGl] = useState(canUseGl)
  return (
    <figure className={props.isSmall ? 'map small' : 'map'} aria-label={props.label}>
      {isGl ? (
        <Suspense fallback={<Skeleton lines={1} />}>
          <GlMap {...props} onFailed={() => setGl(false)} />
        </Suspense>
      ) : (
        <p className="notice">There is no map, because this browser cannot draw with WebGL.</p>
      )}
    </figure>
  )
}

let hasGl: boolean | undefined

/** Returns whether the browser can draw maps. */
export function canUseGl(): boolean {
  return (hasGl ??= askForGl())
}

function askForGl(): boolean {
  const context = document.createElement('canvas').getContext('webgl2')
  // Browsers allow few contexts at a time, and this one is not needed any more.
  context?.getExtension('WEBGL_lose_context')?.loseContext()
  return context !== null
}
