import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** Rows that are rendered beyond each edge of the screen, so that the keyboard finds the next one. */
const BEYOND = 8
/** Rows move in steps: most scrolling renders nothing. */
const STEP = 8
/** Rows that are rendered before their height is known. */
const FIRST = 24

interface Shown {
  readonly from: number
  readonly to: number
  /** From the top of one row to that of the next, in CSS pixels. */
  readonly pitch: number
}

/**
 * Chooses the rows of a long table that are near the screen. All rows are equally high, and have the attribute `data-row`.
 *
 * @param count rows of the table
 * @returns the first row and the one after the last, and the pixels that the others take, above and below
 */
export function useVisibleRows(count: number) {
  const body = useRef<HTMLTableSectionElement>(null)
  const [shown, setShown] = useState<Shown>({ from: 0, to: FIRST, pitch: 0 })
  const measure = useCallback(() => {
    if (body.current) setShown(shownOf(body.current))
  }, [])
  useLayoutEffect(measure, [measure, count])
  useEffect(() => {
    window.addEventListener('scroll', measure, { passive: true })
    window.addEventListener('resize', measure)
    return () => {
      window.removeEventListener('scroll', measure)
      window.removeEventListener('resize', measure)
    }
  }, [measure])
  const to = Math.min(count, shown.to)
  const from = Math.min(shown.from, Math.max(0, to - STEP))
  return { body, from, to, above: from * shown.pitch, below: (count - to) * shown.pitch }
}

function shownOf(body: HTMLElement): (before: Shown) => Shown {
  const [first, second] = body.querySelectorAll('tr[data-row]')
  const pitch =
    first && second ? second.getBoundingClientRect().top - first.getBoundingClientRect().top : undefined
  const hidden = Math.max(0, -body.getBoundingClientRect().top)
  return (before) => {
    const height = pitch ?? before.pitch
    if (height <= 0) return before
    const from = Math.max(0, Math.floor((hidden / height - BEYOND) / STEP) * STEP)
    const to = Math.ceil(((hidden + window.innerHeight) / height + BEYOND) / STEP) * STEP
    return before.from === from && before.to === to && before.pitch === height
      ? before
      : { from, to, pitch: height }
  }
}
