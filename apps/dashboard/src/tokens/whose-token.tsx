import { parseToken } from '@bearing/access/token-format'
import { useState } from 'react'
import { client } from '../ground/client.js'
import { useAction } from '../ground/use-action.js'
import { Button } from '../parts/button.js'
import { Field } from '../parts/field.js'
import { Card } from '../parts/page.js'
import { Problem } from '../parts/problem.js'
import { Time } from '../parts/time.js'
import type { Token } from './token-list.js'

const OUTCOMES = {
  revoked: 'It is revoked: every gateway refuses it.',
  flagged: 'It is marked as leaked. The policy of its organization keeps it working.',
  inactive: 'It had ended already.',
  unknown: 'This installation does not know it.',
} as const

/** Says which token a secret is. The secret is read in the browser; it is sent only to revoke it. */
export function WhoseToken({
  tokens,
  onChanged,
}: {
  readonly tokens: readonly Token[]
  readonly onChanged: () => void
}) {
  const [text, setText] = useState('')
  const [outcome, setOutcome] = useState<keyof typeof OUTCOMES>()
  const action = useAction(async () => {
    const reported = await client.call('reportLeak', { secret: text.trim() })
    setOutcome(reported.outcome)
    setText('')
    onChanged()
  })
  const parts = text.trim() === '' ? undefined : (parseToken(text.trim()) ?? 'none')
  const found = typeof parts === 'object' ? tokens.find(({ id }) => id === parts.id) : undefined
  return (
    <Card
      title="Whose token is this?"
      about="Found a token in a log or a repository? It is read in your browser and not sent."
    >
      <div className="stack-s">
        <Field
          label="Token"
          name="whose"
          type="password"
          autoComplete="off"
          value={text}
          onChange={(value) => {
            setText(value)
            setOutcome(undefined)
          }}
        />
        <div role="status">
          {parts === 'none' && (
            <p className="quiet">This is no token of Bearing, or a part of it is missing.</p>
          )}
          {typeof parts === 'object' && parts.kind !== 'organization_token' && (
            <p className="quiet">
              This is {parts.kind === 'user_key' ? 'a user API key' : 'a browser session'}, and no token.
            </p>
          )}
          {typeof parts === 'object' && parts.kind === 'organization_token' && !found && (
            <p className="quiet">The token {parts.id} is not one of this organization.</p>
          )}
          {found && (
            <p>
              It is <strong>{found.description}</strong> ({found.state}), created{' '}
              <Time at={found.created_at} />
              {found.last_used && (
                <>
                  , last used <Time at={found.last_used.at} /> from {found.last_used.address}
                </>
              )}
              .
            </p>
          )}
          {outcome && <p className="notice good">{OUTCOMES[outcome]}</p>}
        </div>
      </div>
      {typeof parts === 'object' && parts.kind !== 'session' && (
        <div>
          <Button look="danger" isPending={action.isPending} onPress={() => void action.run()}>
            Revoke it as leaked
          </Button>
        </div>
      )}
      <Problem error={action.error} />
    </Card>
  )
}
