import { lazy, Suspense } from 'react'
import type { Props } from './passkey-control.js'

const Control = lazy(async () => ({ default: (await import('./passkey-control.js')).PasskeyControl }))

/** Asks for a passkey. Its code is not part of the first page. */
export function PasskeyButton(props: Props) {
  return (
    <Suspense>
      <Control {...props} />
    </Suspense>
  )
}
