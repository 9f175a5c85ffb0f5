import { useEffect, useState } from 'react'
import { Button } from './button.js'
import { Icon } from './icon.js'

/** Time that "Copied" is shown, in milliseconds. */
const SHOWN_MS = 2_000

interface Props {
  readonly text: string
  /** Name of the text, for screen readers: "Copy the project key". */
  readonly of: string
  readonly look?: string
  readonly label?: string
  readonly isFocused?: boolean
  readonly onCopied?: () => void
}

export function CopyButton({ text, of, look = 'small plain', label, isFocused = false, onCopied }: Props) {
  const [state, setState] = useState<'ready' | 'copied' | 'failed'>('ready')
  useEffect(() => {
    if (state === 'ready') return
    const timer = setTimeout(() => setState('ready'), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [state])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setState('copied')
      onCopied?.()
    } catch {
      // Not allowed, or the page came over plain http.
      setState('failed')
    }
  }
  return (
    <>
      <Button
        look={look}
        autoFocus={isFocused}
        {...(label === undefined && { 'aria-label': `Copy ${of}` })}
        onPress={() => void copy()}
      >
        <Icon name={state === 'copied' ? 'check' : 'copy'} />
        {label !== undefined && <span>{label}</span>}
      </Button>
      <span role="status" className={state === 'failed' ? 'mistake' : 'visually-hidden'}>
        {state === 'copied' ? 'Copied' : state === 'failed' ? 'Select the text and copy it yourself.' : ''}
      </span>
    </>
  )
}
