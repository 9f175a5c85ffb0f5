import type { CallOutput } from '@bearing/client/call-types'
import { useQuery } from '@tanstack/react-query'
import { tokenPolicyOf } from '../ground/queries.js'
import { useScope } from '../ground/scope.js'
import { useInput } from '../ground/use-input.js'
import { Choice } from '../parts/choice.js'
import { Loaded } from '../parts/loaded.js'
import { Card } from '../parts/page.js'
import { SaveForm, useSave } from '../parts/save-form.js'
import { Select } from '../parts/select.js'

type Policy = CallOutput<'showOrganizationTokenPolicy'>

const ANY = 'any'
const LIFETIMES = [30, 90, 180, 365] as const
const WHEN_LEAKED = [
  { id: 'revoke', text: 'It stops immediately', hint: 'Every gateway refuses it within a second.' },
  { id: 'flag', text: 'It is only marked', hint: 'It keeps working until it is rotated or deleted.' },
] as const

const ADMINISTRATION = [
  { id: 'allow', text: 'Tokens may administer', hint: 'They always expire, and all admins receive a mail.' },
  {
    id: 'forbid',
    text: 'No token may administer',
    hint: 'Existing tokens lose these permissions immediately, and keep the others.',
  },
] as const
const ADMINISTRATION_LIFETIMES = [7, 30, 90, 180, 365] as const

/** Limits the lifetime and administration of organization auth tokens, and sets the reaction to one that is reported as leaked. */
export function TokenRules() {
  const { organizationSlug: organization, refused } = useScope()
  const policy = useQuery({
    ...tokenPolicyOf(organization),
    enabled: !refused('organization-token-policy:read'),
  })
  return (
    <Card
      title="Organization auth tokens"
      about="For tokens that are created or rotated from now on. Existing tokens change only if administration is forbidden."
    >
      <Loaded query={policy} lines={3}>
        {(shown) => <PolicyForm key={JSON.stringify(shown)} policy={shown} />}
      </Loaded>
    </Card>
  )
}

function PolicyForm({ policy }: { readonly policy: Policy }) {
  const { organizationSlug: organization } = useScope()
  const [lifetime, lifetimeInput] = useInput(String(policy.max_lifetime_days ?? ANY))
  const [whenLeaked, whenLeakedInput] = useInput(policy.when_leaked)
  const [administration, administrationInput] = useInput(policy.administration)
  const [administrationLife, administrationLifeInput] = useInput(
    String(policy.administration_max_lifetime_days),
  )
  const change = {
    max_lifetime_days: lifetime === ANY ? null : Number(lifetime),
    when_leaked: whenLeaked,
    administration,
    administration_max_lifetime_days: Number(administrationLife),
  }
  const input = { organization, ...change }
  return (
    <SaveForm
      save={useSave('changeOrganizationTokenPolicy', input, ['token-policy', organization])}
      permission="organization-token-policy:change"
      isDisabled={Object.entries(change).every(([name, value]) => policy[name as keyof Policy] === value)}
      bearing={`bearing --org ${organization} org-tokens policy set --max-lifetime ${lifetime === ANY ? 'none' : `${lifetime}d`} --when-leaked ${whenLeaked} --administration ${administration} --administration-max-lifetime ${administrationLife}d`}
    >
      <Select
        label="Longest life of a token"
        {...lifetimeInput}
        options={[{ id: ANY, text: 'Any' }, ...lifetimes(LIFETIMES, policy.max_lifetime_days)]}
      />
      <Choice label="Administration" {...administrationInput} options={ADMINISTRATION} />
      {administration === 'allow' && (
        <Select
          label="Longest life of a token that administers"
          {...administrationLifeInput}
          options={lifetimes(ADMINISTRATION_LIFETIMES, policy.administration_max_lifetime_days)}
        />
      )}
      <Choice label="A token that is reported as leaked" {...whenLeakedInput} options={WHEN_LEAKED} />
    </SaveForm>
  )
}

/** Returns lifetimes to choose from, in days, with the one that is set. */
function lifetimes(usual: readonly number[], set: number | null): { id: string; text: string }[] {
  return [...new Set([...usual, ...(set === null ? [] : [set])])]
    .sort((a, b) => a - b)
    .map((count) => ({ id: String(count), text: `${String(count)} days` }))
}
