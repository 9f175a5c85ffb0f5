import type { CallInput } from '@bearing/client/call-types'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { client } from '../ground/client.js'
import { useAction } from '../ground/use-action.js'
import { Button } from './button.js'
import { Problem } from './problem.js'

type Assertion = NonNullable<CallInput<'startSession'>['passkey']>

export interface Props {
  readonly call: 'startSession' | 'confirmSession'
  /** The first factor. Left out: the passkey is both. */
  readonly input?: { readonly email: string; readonly password: string }
  readonly onDone: () => void
}

/** Asks for a passkey, if the browser has them, and starts or confirms a session with it. Alone it also offers them in the email field. */
export function PasskeyControl({ call, input, onDone }: Props) {
  const isAlone = call === 'startSession' && !input
  const [round, setRound] = useState(0)
  const offer = useRef<AbortController>(undefined)
  const action = useAction(async (offered?: Assertion) => {
    // A browser answers one question at a time.
    offer.current?.abort()
    // Loaded when it is used: the sign-in page has to stay small.
    const { signWithPasskey } = await import('./passkey.js')
    try {
      await client.call(call, { ...input, passkey: offered ?? (await signWithPasskey()) })
      onDone()
    } catch (error) {
      setRound((last) => last + 1)
      throw error
    }
  })
  const start = useEffectEvent(action.run)
  useEffect(() => {
    if (!isAlone || !('PublicKeyCredential' in window)) return
    const abort = new AbortController()
    offer.current = abort
    let again: ReturnType<typeof setTimeout> | undefined
    const offerPasskeys = async () => {
      if (!(await PublicKeyCredential.isConditionalMediationAvailable()) || abort.signal.aborted) return
      const { OFFER_MS, signWithPasskey } = await import('./passkey.js')
      again = setTimeout(() => setRound((last) => last + 1), OFFER_MS)
      await start(await signWithPasskey(abort.signal))
    }
    // Nothing was asked, so nothing is said: the button still works.
    void offerPasskeys().catch(() => undefined)
    return () => {
      abort.abort()
      clearTimeout(again)
    }
  }, [isAlone, round])
  if (!('PublicKeyCredential' in window)) return null
  return (
    <>
      <Button look="wide" isPending={action.isPending} onPress={() => void action.run()}>
        {isAlone ? 'Sign in with a passkey' : 'Use a passkey'}
      </Button>
      <Problem error={action.error} />
    </>
  )
}
