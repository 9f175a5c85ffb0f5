import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { areKeysOn } from '../ground/key-setting.js'
import type { Place } from './places.js'

/** How long the second key of two may take, in milliseconds. */
const SECOND_KEY_MS = 1_500

/** What keys open over the page. */
export type Overlay = 'palette' | 'keys'

/** Listens for the shortcuts of every page. Ignores keys while the user types or a dialog is open: it could be left by accident. */
export function useKeys(places: readonly Place[], onOpen: (overlay: Overlay) => void): void {
  const navigate = useNavigate()
  const first = useRef(0)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || isDialogOpen()) return
      const key = event.key.toLowerCase()
      if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && key === 'k') {
        event.preventDefault()
        onOpen('palette')
        return
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event) || !areKeysOn()) return
      const isSecond = Date.now() - first.current < SECOND_KEY_MS
      first.current = 0
      const place = isSecond ? places.find((candidate) => candidate.key === key) : undefined
      if (place) {
        event.preventDefault()
        void navigate({ to: place.to })
      } else if (key === 'g') first.current = Date.now()
      else if (key === '?') {
        event.preventDefault()
        onOpen('keys')
      } else if (key === '/') {
        event.preventDefault()
        const search = document.querySelector<HTMLInputElement>('main input[type="search"]')
        if (search) search.focus()
        else onOpen('palette')
      }
    }
    document.addEventListener('keydown', press)
    return () => {
      document.removeEventListener('keydown', press)
    }
  }, [places, navigate, onOpen])
}

function isDialogOpen(): boolean {
  return document.querySelector('[role="dialog"], [role="alertdialog"]') !== null
}

function isTyping({ target }: KeyboardEvent): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName) ||
      // Letters choose an option there.
      target.closest('[role="listbox"], [role="menu"], [role="grid"]') !== null)
  )
}
