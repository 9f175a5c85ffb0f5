import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { calling } from '../ground/calling.js'
import { client, isSignedOut } from '../ground/client.js'
import { open } from '../ground/return-path.js'
import { useAction } from '../ground/use-action.js'
import { useInput } from '../ground/use-input.js'
import { Button } from '../parts/button.js'
import { Choice } from '../parts/choice.js'
import { Field } from '../parts/field.js'
import { Form } from '../parts/form.js'
import { Front } from '../parts/front.js'
import { Loaded } from '../parts/loaded.js'
import { Problem } from '../parts/problem.js'

/** Interval between checks of a waiting page for the answer of an admin, in milliseconds. */
const RECHECK_MS = 5_000

/** `/partner`: asks a team of a partner once whether to link an organization or to create one. */
export function PartnerPage() {
  const team = useQuery({
    ...calling(['partner-team'], 'showPartnerTeam', {}),
    refetchInterval: ({ state }) => (state.data?.requested_organization_id ? RECHECK_MS : false),
    meta: { mayBeSignedOut: true },
  })
  const isOut = isSignedOut(team.error)
  const isLinked = team.data !== undefined && team.data.organization_id !== null
  useEffect(() => {
    if (isOut) open('/sign-in?return_to=/partner')
    else if (isLinked) open('/app')
  }, [isOut, isLinked])
  if (isOut || isLinked) return null
  return (
    <Front title="Connect your team" about="This is asked once for your team.">
      <Loaded query={team}>
        {({ name, requested_organization_id: requested }) =>
          requested === null ? (
            <LinkOrCreate name={name} onAsked={() => void team.refetch()} />
          ) : (
            <Waiting name={name} />
          )
        }
      </Loaded>
      <a href="/app">Back to the dashboard</a>
    </Front>
  )
}

function Waiting({ name }: { readonly name: string }) {
  return (
    <p className="notice attention" role="status">
      An admin of the organization has to confirm that {name} belongs to it. This page continues automatically
      when they do.
    </p>
  )
}

function LinkOrCreate({ name, onAsked }: { readonly name: string; readonly onAsked: () => void }) {
  const [way, wayInput] = useInput('create')
  const [slug, slugInput] = useInput('')
  // Creating again after a lost reply returns the same organization.
  const action = useAction(async () => {
    if (way === 'create') {
      const { slug: created } = await client.call('createPartnerOrganization', {})
      open(`/app?${new URLSearchParams({ organization: created }).toString()}`)
      return
    }
    await client.call('requestPartnerLink', { organization: slug.trim() })
    onAsked()
  })
  return (
    <Form error={action.error} onSubmit={() => void action.run()}>
      <Choice
        label={`What belongs to ${name}?`}
        {...wayInput}
        options={[
          {
            id: 'create',
            text: 'A new organization',
            hint: `It is called ${name}, and contains a project "default".`,
          },
          {
            id: 'link',
            text: 'An organization that exists',
            hint: 'One of its admins has to confirm the link.',
          },
        ]}
      />
      {way === 'link' && <Field label="Organization Slug" name="organization" isRequired {...slugInput} />}
      <Problem error={action.error} />
      <Button look="primary wide" type="submit" isPending={action.isPending}>
        {way === 'create' ? 'Create the organization' : 'Ask to link'}
      </Button>
    </Form>
  )
}
