import { useState } from 'react'
import { client } from '../ground/client.js'
import { useScope } from '../ground/scope.js'
import { useAction } from '../ground/use-action.js'
import { useInput } from '../ground/use-input.js'
import { Field } from '../parts/field.js'
import { Card } from '../parts/page.js'
import { SaveForm } from '../parts/save-form.js'

/** Requests another email address. */
export function EmailCard() {
  const { refused, user } = useScope()
  const why = refused('email:change')
  const [email, emailInput] = useInput('')
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
        <SaveForm
          save={{ ...action, call: ['requestEmailChange', { email: email.trim() || 'ada@example.com' }] }}
          permission="email:change"
          isDisabled={false}
          verb="Send the links"
          bearing={`bearing email change ${email.trim() || 'ada@example.com'}`}
        >
          <Field
            label="New email address"
            name="email"
            type="email"
            autoComplete="email"
            isRequired
            {...emailInput}
          />
          {isSent && (
            <p className="notice good" role="status">
              Links are mailed to the new address and to the present one. The address changes when both are
              used, within 24 hours.
            </p>
          )}
        </SaveForm>
      )}
    </Card>
  )
}
