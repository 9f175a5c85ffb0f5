import { useQuery } from '@tanstack/react-query'
import { makeCall } from '../ground/calling.js'
import { useScope } from '../ground/scope.js'
import { useAction } from '../ground/use-action.js'
import { useInput } from '../ground/use-input.js'
import { PermittedButton } from '../parts/button.js'
import { Check } from '../parts/choice.js'
import { AsCommand } from '../parts/command.js'
import { Field } from '../parts/field.js'
import { Form } from '../parts/form.js'
import { Loaded } from '../parts/loaded.js'
import { Problem } from '../parts/problem.js'
import { domainsOf, type Connection } from './connection.js'
import { DomainRow } from './domain-row.js'
import { Step } from './step.js'

/** The third step: the email domain, which makes the sign-in page offer the provider. */
export function DomainStep({ connection }: { readonly connection: Connection | undefined }) {
  const { organizationSlug: organization } = useScope()
  const domains = useQuery(domainsOf(organization))
  const verified = domains.data?.filter(({ verified_at }) => verified_at !== null) ?? []
  return (
    <Step
      number={3}
      title="Verify your email domain"
      about="The sign-in page and the page Account then offer your provider to these addresses. Without it, people sign in with your organization slug."
      done={verified.length > 0 ? `${verified.map(({ domain }) => domain).join(', ')} verified` : undefined}
      missing="no domain verified"
    >
      <Loaded query={domains} lines={1}>
        {(list) =>
          list.length > 0 && (
            <ul className="stack">
              {list.map((domain) => (
                <DomainRow key={domain.domain} domain={domain} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <AddDomain />
      {connection && <JustInTime connection={connection} hasDomain={verified.length > 0} />}
    </Step>
  )
}

function AddDomain() {
  const { organizationSlug: organization, refused } = useScope()
  const [domain, domainInput, setDomain] = useInput('')
  const add = useAction(async () => {
    await makeCall('addSsoDomain', { organization, domain: domain.trim() }, ['sso-domains', organization])
    setDomain('')
  })
  return (
    <Form error={add.error} onSubmit={() => void add.run()}>
      <div className="row filters">
        <Field
          label="Domain"
          name="domain"
          placeholder="example.com"
          isRequired
          isDisabled={refused('sso-domain:manage') !== undefined}
          {...domainInput}
        />
        <PermittedButton type="submit" permission="sso-domain:manage" isPending={add.isPending}>
          Add the domain
        </PermittedButton>
      </div>
      <Problem error={add.error} />
      <AsCommand
        bearing={`bearing --org ${organization} sso domains add ${domain.trim() || 'example.com'}`}
        call={['addSsoDomain', { organization, domain: domain.trim() || 'example.com' }]}
      />
    </Form>
  )
}

function JustInTime({
  connection: { id: connection_id, just_in_time, email_trusted, follows_email },
  hasDomain,
}: {
  readonly connection: Connection
  readonly hasDomain: boolean
}) {
  const { organizationSlug: organization, refused } = useScope()
  const change = useAction(
    (chosen: Partial<Pick<Connection, 'just_in_time' | 'email_trusted' | 'follows_email'>>) =>
      makeCall('changeSsoConnection', { organization, connection_id, ...chosen }, [
        'sso-connections',
        organization,
      ]),
  )
  return (
    <>
      <Check
        text="Add people of a verified domain as members at their first sign-in"
        hint={
          hasDomain
            ? 'Their provider must confirm the address (email_verified), unless you trust it below.'
            : 'Has an effect once a domain is verified.'
        }
        isChecked={just_in_time}
        isDisabled={change.isPending || refused('sso-connection:manage') !== undefined}
        onChange={(isChosen) => void change.run({ just_in_time: isChosen })}
      />
      <Check
        text="Trust addresses in verified domains without email_verified"
        hint="For providers that never send it, such as Microsoft Entra ID."
        isChecked={email_trusted}
        isDisabled={change.isPending || refused('sso-connection:manage') !== undefined}
        onChange={(isChosen) => void change.run({ email_trusted: isChosen })}
      />
      <Check
        text="Change addresses with the provider"
        hint="If the provider sends another address for a user, within verified domains, it replaces the old one."
        isChecked={follows_email}
        isDisabled={change.isPending || refused('sso-connection:manage') !== undefined}
        onChange={(isChosen) => void change.run({ follows_email: isChosen })}
      />
      <Problem error={change.error} />
    </>
  )
}
