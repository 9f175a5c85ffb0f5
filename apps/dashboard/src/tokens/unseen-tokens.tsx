import { Button } from '../parts/button.js'
import type { Token } from './token-list.js'

/** Shows tokens whose reply was lost: they exist, but no one received their secret. */
export function UnseenTokens({
  tokens,
  onDismiss,
}: {
  readonly tokens: readonly Token[]
  readonly onDismiss: () => void
}) {
  if (tokens.length === 0) return null
  return (
    <div className="notice attention" role="alert">
      {tokens.map(({ id, description }) => (
        <p key={id}>
          <strong>{description}</strong> was created, but the connection broke before its secret arrived.
          Rotate it to get a secret, or delete it.
        </p>
      ))}
      <div>
        <Button look="small" onPress={onDismiss}>
          Understood
        </Button>
      </div>
    </div>
  )
}
