import type { CallOutput } from '@bearing/client/call-types'
import { useQuery } from '@tanstack/react-query'
import { signInPolicyOf } from '../ground/queries.js'
import { useScope } from '../ground/scope.js'
import { useInput } from '../ground/use-input.js'
import { Choice } from '../parts/choice.js'
import { Loaded } from '../parts/loaded.js'
import { Card } from '../parts/page.js'
import { SaveForm, useSave } from '../parts/save-form.js'

type Policy = CallOutput<'showSignInPolicy'>

const RULES = [
  { id: 'on', text: 'All', hint: 'A member allows them on the page /command-line.' },
  {
    id: 'same-network',
    text: 'Of the same network',
    hint: 'The command line asked from the IPv4 address or IPv6 /64 of the browser that allowed it.',
  },
  { id: 'off', text: 'None', hint: 'API keys and organization auth tokens keep working.' },
] as const

/** Chooses the sessions of command lines that the organization accepts. */
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
  const [rule, ruleInput] = useInput(policy.device_logins)
  const input = { organization, device_logins: rule }
  return (
    <SaveForm
      save={useSave('changeSignInPolicy', input, ['sign-in-policy', organization])}
      permission="sign-in-policy:change"
      isDisabled={rule === policy.device_logins}
      verb="Change the rule"
      bearing={`bearing --org ${organization} organizations sign-in-policy set --device-logins ${rule}`}
    >
      <Choice label="Command lines" {...ruleInput} options={RULES} />
    </SaveForm>
  )
}
