import { client } from '../ground/client.js'
import { useAction } from '../ground/use-action.js'
import { Button } from './button.js'
import { Problem } from './problem.js'

export interface Props {
  readonly call: 'startSession' | 'confirmSession'
  /** The first factor. Left out: the passkey is both. */
  readonly input?: { readonly email: string; readonly password: string }
  readonly onDone: () => void
}

/** Asks for a passkey, if the browser has them, and starts or confirms a session with it. */
export function PasskeyControl({ call, input, onDone }: Props) {
  const action = useAction(async () => {
    // Loaded when it is used: the sign-in page has to stay small.
    const { signWithPasskey } = await import('./passkey.js')
    await client.call(call, { ...input, passkey: await signWithPasskey() })
    onDone()
  })
  if (!('PublicKeyCredential' in window)) return null
  return (
    <>
      <Button look="wide" isPending={action.isPending} onPress={() => void action.run()}>
        {call === 'startSession' && !input ? 'Sign in with a passkey' : 'Use a passkey'}
      </Button>
      <Problem error={action.error} />
    </>
  )
}
