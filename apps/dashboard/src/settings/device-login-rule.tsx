import type { CallOutput } from '@bearing/client/call-types'
import { DeviceLogins } from '@bearing/contracts/principal'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../ground/client.js'
import { signInPolicyOf } from '../ground/queries.js'
import { queryClient } from '../ground/query-client.js'
import { useScope } from '../ground/scope.js'
import { useAction } from '../ground/use-action.js'
import { PermittedButton } from '../parts/button.js'
import { Choice } from '../parts/choice.js'
import { AsCommand } from '../parts/command.js'
import { Form } from '../parts/form.js'
import { Loaded } from '../parts/loaded.js'
import { Card } from '../parts/page.js'
import { Problem } from '../parts/problem.js'

type Policy = CallOutput<'showSignInPolicy'>

const RULES = [
  { id: 'on', text: 'All', hint: 'A member allows them on the page /command-line.' },
  {
    id: 'same-network',
    text: 'Of the same network',
    hint: 'The command line asked from the IPv4 address or IPv6 /64 of the browser that allowed it.',
  },
  { id: 'off', text: 'None', hint: 'API keys and organization auth tokens keep working.' },
] as const satisfies readonly { readonly id: DeviceLogins; readonly text: string; readonly hint: string }[]

/** Which sessions of command lines the organization accepts. */
export function DeviceLoginRule() {
  const { organizationSlug: organization, refused } = useScope()
  const policy = useQuery({ ...signInPolicyOf(organization), enabled: !refused('sign-in-policy:read') })
  return (
    <Card
      title="Command-line sign-ins"
      about="Which sessions of bearing login reach this organization, present ones included."
    >
      <Loaded query={policy} lines={3}>
        {(shown) => <RuleForm key={shown.device_logins} policy={shown} />}
      </Loaded>
    </Card>
  )
}

function RuleForm({ policy }: { readonly policy: Policy }) {
  const { organizationSlug: organization } = useScope()
  const [rule, setRule] = useState<string>(policy.device_logins)
  const device_logins = DeviceLogins.parse(rule)
  const action = useAction(async () => {
    await client.call('changeSignInPolicy', { organization, device_logins })
    await queryClient.invalidateQueries({ queryKey: ['sign-in-policy', organization] })
  })
  return (
    <Form error={action.error} onSubmit={() => void action.run()}>
      <Choice label="Command lines" value={rule} onChange={setRule} options={RULES} />
      <AsCommand
        bearing={`bearing --org ${organization} organizations sign-in-policy set --device-logins ${rule}`}
        call={['changeSignInPolicy', { organization, device_logins }]}
      />
      <Problem error={action.error} />
      <div>
        <PermittedButton
          type="submit"
          permission="sign-in-policy:change"
          isDisabled={rule === policy.device_logins}
          isPending={action.isPending}
        >
          Change the rule
        </PermittedButton>
      </div>
    </Form>
  )
}
