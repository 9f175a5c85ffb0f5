import type { CallOutput } from '@bearing/client/call-types'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../ground/client.js'
import { queryClient } from '../ground/query-client.js'
import { useScope } from '../ground/scope.js'
import { useAction } from '../ground/use-action.js'
import { PermittedButton } from '../parts/button.js'
import { AsCommand } from '../parts/command.js'
import { Field } from '../parts/field.js'
import { Form } from '../parts/form.js'
import { Loaded } from '../parts/loaded.js'
import { Card } from '../parts/page.js'
import { Problem } from '../parts/problem.js'

type Settings = CallOutput<'showLocationSettings'>
type Change = Pick<Settings, 'observation_retention_days'>

/** What happens to contributed scans. */
export function LocationSettingsCard() {
  const { organizationSlug: organization } = useScope()
  const key = ['location-settings', organization]
  const settings = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => client.call('showLocationSettings', { organization }, { signal }),
  })
  return (
    <Card title="Contributed scans" about="Scans with known positions that devices and people send.">
      <Loaded query={settings}>
        {(current) => (
          <SettingsForm
            // Changed elsewhere: what is shown is what holds.
            key={JSON.stringify(current)}
            current={current}
            onSave={async (change) => {
              queryClient.setQueryData(
                key,
                await client.call('changeLocationSettings', { organization, ...change }),
              )
            }}
          />
        )}
      </Loaded>
    </Card>
  )
}

function SettingsForm({
  current,
  onSave,
}: {
  readonly current: Settings
  readonly onSave: (change: Change) => Promise<void>
}) {
  const { organizationSlug, refused } = useScope()
  const [days, setDays] = useState(String(current.observation_retention_days))
  const change = { observation_retention_days: Number(days) }
  const action = useAction(() => onSave(change))
  const why = refused('location-settings:change')
  const isSame = days === String(current.observation_retention_days)
  return (
    <Form error={action.error} onSubmit={() => void action.run()}>
      <Field
        label="Keep them for (days)"
        name="observation_retention_days"
        type="text"
        inputMode="numeric"
        pattern="[0-9]{1,4}"
        isRequired
        isDisabled={why !== undefined}
        hint="0 to 3650. What was learned from them stays."
        value={days}
        onChange={setDays}
      />
      <Problem error={action.error} />
      <div className="row">
        <PermittedButton
          type="submit"
          permission="location-settings:change"
          isDisabled={isSame}
          isPending={action.isPending}
        >
          Save
        </PermittedButton>
      </div>
      {!why && (
        <AsCommand
          bearing={`bearing --org ${organizationSlug} location settings set --retention-days ${days || '0'}`}
          call={['changeLocationSettings', { organization: organizationSlug, ...change }]}
        />
      )}
    </Form>
  )
}
