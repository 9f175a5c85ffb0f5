import { useEffect, useRef, useState } from 'react'

/** Pause in typing before the text counts, in milliseconds. */
const REST_MS = 250

/**
 * Returns the text of a field that is typed in, and passes it on once typing rests, so that a list is not read for every letter.
 *
 * @param value the text that counts; if something else changes it, the field follows
 */
export function useSlowText(
  value: string,
  onRest: (value: string) => void,
): [text: string, change: (text: string) => void, rest: () => void] {
  const [text, setText] = useState(value)
  const [seen, setSeen] = useState(value)
  const [passed, setPassed] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  if (seen !== value) {
    setSeen(value)
    // The browser's Back, or a link, has changed it: not what was typed here, which may be longer by now.
    if (value !== passed.trim()) {
      setPassed(value)
      setText(value)
    }
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  const pass = (wanted: string) => {
    clearTimeout(timer.current)
    if (wanted.trim() === passed.trim()) return
    setPassed(wanted)
    onRest(wanted.trim())
  }
  return [
    text,
    (next) => {
      setText(next)
      clearTimeout(timer.current)
      timer.current = setTimeout(() => pass(next), REST_MS)
    },
    () => pass(text),
  ]
}
