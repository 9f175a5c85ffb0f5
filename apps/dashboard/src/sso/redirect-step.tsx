import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { installation } from '../ground/queries.js'
import { CopyButton } from '../parts/copy-button.js'
import type { Connection } from './connection.js'
import { Step } from './step.js'

/** The second step: the redirect URI, for the provider. */
export function RedirectStep({
  connection,
  isProven,
}: {
  readonly connection: Connection | undefined
  /** A sign-in through the connection succeeded, so the provider has the right URI. */
  readonly isProven: boolean
}) {
  const config = useQuery(installation)
  const [copied, setCopied] = useState<string>()
  const uri = connection && `${config.data?.public_url ?? ''}${connection.callback_path}`
  const done = isProven ? 'redirect URI works' : copied !== undefined && copied === uri ? 'copied' : undefined
  return (
    <Step
      number={2}
      title="Register the redirect URI"
      about="At the provider, as the only redirect URI of the application. Then give the application to the people who may use it."
      done={done}
      missing="not copied"
    >
      {uri === undefined ? (
        <p className="quiet">It is shown once the provider is connected.</p>
      ) : (
        <div className="command">
          <pre>{uri}</pre>
          <div>
            <CopyButton
              text={uri}
              of="the redirect URI"
              label="Copy"
              look="small"
              onCopied={() => setCopied(uri)}
            />
          </div>
        </div>
      )}
    </Step>
  )
}
