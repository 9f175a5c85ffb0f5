import { useBlocker } from '@tanstack/react-router'
import { useEffect, type ReactNode } from 'react'
import { Button } from './button.js'
import { CopyButton } from './copy-button.js'

interface Props {
  readonly secret: string
  /** Name of the secret: "the token". */
  readonly of: string
  /** More about it, such as a QR code. */
  readonly children?: ReactNode
  readonly onSaved: () => void
}

/**
 * Shows a secret that is never shown again. It is only in the state of the component that shows this. Until it is confirmed, the page
 * cannot be left by accident.
 */
export function Secret({ secret, of, children, onSaved }: Props) {
  useBlocker({ shouldBlockFn: () => true, enableBeforeUnload: false })
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [])
  return (
    <>
      <p>
        Copy {of} now and store it like a password. <strong>It is not shown again.</strong>
      </p>
      <div className="secret" data-secret="">
        {secret}
      </div>
      {children}
      <div className="actions">
        <CopyButton text={secret} of={of} label={`Copy ${of}`} look="primary" isFocused />
        <Button onPress={onSaved}>I have saved it</Button>
      </div>
    </>
  )
}
