import type { SecondFactorKind } from '@bearing/contracts/principal'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { count, counted } from '../ground/amounts.js'
import { client } from '../ground/client.js'
import { signInPolicyOf } from '../ground/queries.js'
import { useScope } from '../ground/scope.js'
import { AsCommand } from '../parts/command.js'
import { ConfirmButton } from '../parts/confirm.js'
import { Loaded } from '../parts/loaded.js'
import { Card } from '../parts/page.js'
import { useSave } from '../parts/save-form.js'

/** Requires a second factor. Says first who would be locked out. */
export function SecondFactorRule() {
  const { organizationSlug: organization, refused } = useScope()
  const policy = useQuery({ ...signInPolicyOf(organization), enabled: !refused('sign-in-policy:read') })
  const isRequired = policy.data?.second_factor_required === true
  const input = { organization, second_factor_required: !isRequired }
  const save = useSave('changeSignInPolicy', input, ['sign-in-policy', organization], ['me'])
  return (
    <Card
      title="Second factor"
      about="A passkey, or a code of an authenticator app besides the password. People who come through your own provider need none here."
      state={
        policy.data && (
          <span className={`badge ${isRequired ? 'good' : ''}`}>
            {isRequired
              ? policy.data.second_factor_kind === 'any'
                ? 'required'
                : 'passkey required'
              : 'optional'}
          </span>
        )
      }
    >
      <Loaded query={policy} lines={1}>
        {({ sso_required, second_factor_kind }) => (
          <>
            {!isRequired && <Missing />}
            <div className="row">
              <ConfirmButton
                look=""
                permission="sign-in-policy:change"
                text={isRequired ? 'Make it optional …' : 'Require a second factor …'}
                title={isRequired ? 'Make the second factor optional?' : 'Require a second factor?'}
                verb={isRequired ? 'Make it optional' : 'Require it'}
                onConfirm={save.make}
              >
                {isRequired ? (
                  <p>The password alone is then enough to reach this organization.</p>
                ) : (
                  <>
                    <p>
                      Within a second, members without one reach this organization no more, until they set one
                      up on their page Account. Their user API keys are refused too. You must have one
                      yourself.
                    </p>
                    <Missing />
                  </>
                )}
                <AsCommand
                  bearing={`bearing --org ${organization} organizations sign-in-policy set --second-factor ${isRequired ? 'optional' : 'required'}`}
                  call={save.call}
                />
              </ConfirmButton>
              {isRequired && <Kind kind={second_factor_kind} />}
            </div>
            <p className="quiet">
              Single sign-on is {sso_required ? 'required' : 'optional'}.{' '}
              <Link to={`/app/o/${organization}/admin/single-sign-on`}>Set up single sign-on</Link>
            </p>
          </>
        )}
      </Loaded>
    </Card>
  )
}

/** Requires passkeys, or accepts every second factor again. */
function Kind({ kind }: { readonly kind: SecondFactorKind }) {
  const { organizationSlug: organization } = useScope()
  const isAny = kind === 'any'
  const input = { organization, second_factor_kind: isAny ? 'phishing-resistant' : 'any' } as const
  const save = useSave('changeSignInPolicy', input, ['sign-in-policy', organization], ['me'])
  return (
    <ConfirmButton
      look=""
      permission="sign-in-policy:change"
      text={isAny ? 'Require passkeys …' : 'Accept every second factor …'}
      title={isAny ? 'Require passkeys?' : 'Accept every second factor?'}
      verb={isAny ? 'Require them' : 'Accept it'}
      onConfirm={save.make}
    >
      <p>
        {isAny
          ? 'Within a second, only sessions with a passkey reach this organization: no codes, and no user API keys. You must have a passkey yourself.'
          : 'Codes of authenticators and user API keys are accepted again.'}
      </p>
      <AsCommand
        bearing={`bearing --org ${organization} organizations sign-in-policy set --second-factor ${isAny ? 'phishing-resistant' : 'required'}`}
        call={save.call}
      />
    </ConfirmButton>
  )
}

/** The most members that are looked at: the largest page of the API. */
const READ = 1_000
/** The most that are named. */
const NAMED = 5

/** Says which members have no second factor. */
function Missing() {
  const { organizationSlug: organization } = useScope()
  const members = useQuery({
    queryKey: ['members', organization, 'second factor'],
    queryFn: async ({ signal }) => {
      const { data, paging } = await client.call('listMembers', { organization, per_page: READ }, { signal })
      return {
        read: data.length,
        all: paging.total_count,
        without: data.filter(({ second_factor }) => second_factor === false).map(({ email }) => email),
      }
    },
  })
  return (
    <Loaded query={members} lines={1}>
      {({ read, all, without }) => {
        const rest = without.length - NAMED
        // The list is by email address, so that these are the first ones of it.
        const part = read < all ? `Of the first ${count(read)} of ${counted(all, 'member')}, ` : ''
        if (without.length === 0)
          return <p>{part === '' ? 'Every member has one.' : `${part}all have one.`}</p>
        return (
          <p>
            {part}
            {wordsFor(without.length, part !== '')} none: {without.slice(0, NAMED).join(', ')}
            {rest > 0 && ` and ${count(rest)} more`}.
          </p>
        )
      }}
    </Loaded>
  )
}

function wordsFor(members: number, isInside: boolean): string {
  if (members !== 1) return `${counted(members, 'member')} have`
  return isInside ? 'one has' : 'One member has'
}
