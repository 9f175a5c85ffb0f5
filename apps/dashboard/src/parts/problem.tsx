import { ProblemError, UnexpectedReplyError, UnreachableError } from '@bearing/client/errors'
import { useState } from 'react'
import { useNow } from '../ground/use-now.js'
import { Button } from './button.js'
import { CopyButton } from './copy-button.js'

interface Props {
  /** Undefined: nothing is shown. */
  readonly error: unknown
  readonly onRetry?: (() => void) | undefined
}

/** Shows an error: what the server says, its code and page, and the id that its logs have. */
export function Problem({ error, onRetry }: Props) {
  if (error === undefined || error === null) return null
  return <ShownProblem error={error} onRetry={onRetry} />
}

function ShownProblem({ error, onRetry }: Props) {
  const { text, code, requestId, retryAfter } = factsOf(error)
  return (
    <div className="notice bad" role="alert">
      <p>{text}</p>
      {(code !== undefined || requestId !== undefined) && (
        <div className="meta">
          {code !== undefined && <ErrorCode code={code} />}
          {requestId !== undefined && <RequestId id={requestId} />}
        </div>
      )}
      {onRetry && (
        <div>
          <Retry seconds={retryAfter ?? 0} onRetry={onRetry} key={requestId ?? text} />
        </div>
      )}
    </div>
  )
}

/** The code of an error, with a link to its page. */
export function ErrorCode({ code }: { readonly code: string }) {
  return (
    <a href={`/docs/errors/${encodeURIComponent(code)}`} target="_blank" rel="noreferrer">
      {code}
    </a>
  )
}

/** The id of a request, which the logs of the server have too. */
export function RequestId({ id }: { readonly id: string }) {
  return (
    <span className="row">
      <code>request {id}</code>
      <CopyButton text={id} of="the request id" />
    </span>
  )
}

function Retry({ seconds, onRetry }: { readonly seconds: number; readonly onRetry: () => void }) {
  const now = useNow(1_000)
  const [readyAt] = useState(() => Date.now() + seconds * 1_000)
  const left = Math.ceil((readyAt - now) / 1_000)
  return (
    <Button look="small" isDisabled={left > 0} onPress={onRetry}>
      {left > 0 ? `Try again in ${String(left)} s` : 'Try again'}
    </Button>
  )
}

/** The client repeats a change with the token of a new session, unless that is the session of another user. */
const SWITCHED =
  'This page does not belong to the session of the browser: another user may have signed in. Nothing was changed. Reload the page.'

function factsOf(error: unknown): {
  readonly text: string
  readonly code?: string | undefined
  readonly requestId?: string | undefined
  readonly retryAfter?: number | undefined
} {
  if (error instanceof ProblemError) {
    const { code, requestId, retryAfter, message } = error
    const text = code === 'csrf_refused' ? SWITCHED : message
    return { text, code, requestId, retryAfter }
  }
  if (error instanceof UnexpectedReplyError) return { text: error.message, requestId: error.requestId }
  if (error instanceof UnreachableError)
    return {
      text: 'The server did not answer. Check your network; a change may or may not have been made, so look before you repeat it.',
    }
  return { text: 'This page failed. Reload it; if that does not help, report it with what you did.' }
}
