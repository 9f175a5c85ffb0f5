import { useSyncExternalStore } from 'react'
import { TONES, type Tone } from './features.js'

/** Colors of what a map draws itself, as the stylesheet has them for the scheme that is shown. */
export interface Palette extends Readonly<Record<Tone, string>> {
  readonly sea: string
  readonly land: string
  readonly border: string
  readonly road: string
  readonly building: string
  readonly text: string
  readonly halo: string
  readonly selected: string
}

/** The font of the dashboard: the browser draws its letters for the map. */
export const LETTERS = ['Inter Variable', 'sans-serif']

const OWN = ['sea', 'land', 'border', 'road', 'building', 'text', 'halo', 'selected'] as const

/** Reads the colors from the classes `tone-…` of the stylesheet: a canvas knows no stylesheet. */
export function readPalette(beside: HTMLElement): Palette {
  const probe = document.createElement('i')
  probe.hidden = true
  beside.append(probe)
  const colors = [...TONES, ...OWN].map((name) => {
    probe.className = `tone-${name}`
    return [name, getComputedStyle(probe).color]
  })
  probe.remove()
  return Object.fromEntries(colors) as Palette // the names of both lists
}

/** Returns `light` or `dark`, as it is shown now. */
export function useScheme(): string {
  return useSyncExternalStore(subscribe, currentScheme)
}

const prefersDark = window.matchMedia('(prefers-color-scheme: dark)')

function currentScheme(): string {
  return document.documentElement.dataset['theme'] ?? (prefersDark.matches ? 'dark' : 'light')
}

function subscribe(listener: () => void): () => void {
  const observer = new MutationObserver(listener)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  prefersDark.addEventListener('change', listener)
  return () => {
    observer.disconnect()
    prefersDark.removeEventListener('change', listener)
  }
}
