import { useQuery } from '@tanstack/react-query'
import { setWorkerUrl } from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url'
import { useEffect, useRef, useState } from 'react'
import { count } from '../../ground/amounts.js'
import { installation } from '../../ground/queries.js'
import type { Box, WorldMapProps } from './features.js'
import { loadBasemap } from './gl-basemap.js'
import { GlEngine, type View } from './gl-engine.js'
import { MapFrame } from './map-frame.js'
import { readPalette, useScheme } from './palette.js'

/** The part of Trusted Types that is used; browsers without them need no policy. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): unknown
}

trustWorker(workerUrl)
setWorkerUrl(workerUrl)

/** The map, with WebGL. Loaded when the first one is shown. */
export default function GlMap(props: WorldMapProps & { readonly onFailed: () => void }) {
  const { points, areas, lines, background, whole, selected, goTo } = props
  const host = useRef<HTMLDivElement>(null)
  const { data: config } = useQuery(installation)
  const scheme = useScheme()
  const [engine, setEngine] = useState<GlEngine>()
  const [view, setView] = useState<View>()
  const [problem, setProblem] = useState<string>()
  const url = config?.map_url

  // The engine outlives renderings: it asks for the properties of the last one.
  const latest = useRef(props)
  const box = useRef(props.firstBox)
  const wasAt = useRef<Box>(undefined)
  useEffect(() => {
    latest.current = props
  })

  useEffect(() => {
    const element = host.current
    if (!element || url === undefined) return
    let isOver = false
    let started: GlEngine | undefined
    const start = async () => {
      const palette = readPalette(element)
      const basemap = await loadBasemap(url, palette)
      if (isOver) return
      setProblem(basemap.problem)
      started = new GlEngine({
        host: element,
        label: latest.current.label,
        basemap,
        palette,
        firstBox: box.current,
        onSelect: (id) => latest.current.onSelect?.(id),
        onView: setView,
        onBox: (next, isChosen) => {
          box.current = isChosen ? next : undefined
          latest.current.onBox?.(next, isChosen)
        },
      })
      setEngine(started)
    }
    start().catch(() => latest.current.onFailed())
    return () => {
      isOver = true
      started?.remove()
      setEngine(undefined)
    }
  }, [url, scheme])

  useEffect(() => {
    engine?.show({
      points,
      ...(areas && { areas }),
      ...(lines && { lines }),
      ...(background && { background }),
      whole,
    })
  }, [engine, points, areas, lines, background, whole])
  useEffect(() => {
    if (!engine || !goTo || goTo === wasAt.current) return
    wasAt.current = goTo
    engine.goTo(goTo)
  }, [engine, goTo])
  useEffect(() => engine?.select(selected), [engine, selected, points])

  return (
    <MapFrame
      metersPerPixel={view?.metersPerPixel}
      attribution={config?.map_attribution ?? ''}
      notes={[
        problem,
        view && view.circlesLeftOut > 0
          ? `Circles are left out: ${count(view.circlesLeftOut)} devices are in view. Zoom in.`
          : undefined,
      ]}
      onZoom={(levels) => engine?.zoomBy(levels)}
      onFit={() => engine?.fit()}
    >
      <div className="map-canvas" ref={host} />
    </MapFrame>
  )
}

/** Allows MapLibre to start its worker, which it names by a text, and nothing else. */
function trustWorker(worker: string): void {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes }
  trustedTypes?.createPolicy('default', {
    createScriptURL: (url) => {
      if (url !== worker) throw new TypeError('Only the worker of the map may be started.')
      return url
    },
  })
}
