import { useState } from 'react'
import { client } from '../ground/client.js'
import { useScope } from '../ground/scope.js'
import { useAction } from '../ground/use-action.js'
import { PermittedButton } from '../parts/button.js'
import { AsCommand } from '../parts/command.js'
import { Field } from '../parts/field.js'
import { Form } from '../parts/form.js'
import { Card } from '../parts/page.js'
import { Problem } from '../parts/problem.js'

/** Requests another email address. */
export function EmailCard() {
  const { refused, user } = useScope()
  const why = refused('email:change')
  const [email, setEmail] = useState('')
  const [isSent, setSent] = useState(false)
  const action = useAction(async () => {
    await client.call('requestEmailChange', { email: email.trim() })
    setSent(true)
  })
  return (
    <Card
      title="Email address"
      about={`You sign in as ${user?.email ?? ''}. When it changes, all of your sessions end, and programs that use your API key need the new address.`}
    >
      {why ? (
        <p className="quiet">{why.message}</p>
      ) : (
        <Form error={action.error} onSubmit={() => void action.run()}>
          <Field
            label="New email address"
            name="email"
            type="email"
            autoComplete="email"
            isRequired
            value={email}
            onChange={setEmail}
          />
          <AsCommand
            bearing={`bearing email change ${email.trim() || 'ada@example.com'}`}
            call={['requestEmailChange', { email: email.trim() || 'ada@example.com' }]}
          />
          {isSent && (
            <p className="notice good" role="status">
              Links are mailed to the new address and to the present one. The address changes when both are
              used, within 24 hours.
            </p>
          )}
          <Problem error={action.error} />
          <div>
            <PermittedButton type="submit" permission="email:change" isPending={action.isPending}>
              Send the links
            </PermittedButton>
          </div>
        </Form>
      )}
    </Card>
  )
}
