import type { CallOutput } from '@bearing/client/call-types'
import { useQuery } from '@tanstack/react-query'
import { calling } from '../ground/calling.js'
import { useScope } from '../ground/scope.js'
import { useInput } from '../ground/use-input.js'
import { Field } from '../parts/field.js'
import { Loaded } from '../parts/loaded.js'
import { Card } from '../parts/page.js'
import { SaveForm, useSave } from '../parts/save-form.js'

type Settings = CallOutput<'showLocationSettings'>

/** Chooses the retention of contributed scans. */
export function LocationSettingsCard() {
  const { organizationSlug: organization } = useScope()
  const settings = useQuery(
    calling(['location-settings', organization], 'showLocationSettings', { organization }),
  )
  return (
    <Card title="Contributed scans" about="Scans with known positions that devices and people send.">
      <Loaded query={settings}>
        {/* Changed elsewhere: what is shown is what holds. */}
        {(current) => <SettingsForm key={JSON.stringify(current)} current={current} />}
      </Loaded>
    </Card>
  )
}

function SettingsForm({ current }: { readonly current: Settings }) {
  const { organizationSlug: organization, refused } = useScope()
  const [days, daysInput] = useInput(String(current.observation_retention_days))
  const input = { organization, observation_retention_days: Number(days) }
  return (
    <SaveForm
      save={useSave('changeLocationSettings', input, ['location-settings', organization])}
      permission="location-settings:change"
      isDisabled={days === String(current.observation_retention_days)}
      bearing={`bearing --org ${organization} location settings set --retention-days ${days || '0'}`}
    >
      <Field
        label="Keep them for (days)"
        name="observation_retention_days"
        type="text"
        inputMode="numeric"
        pattern="[0-9]{1,4}"
        isRequired
        isDisabled={refused('location-settings:change') !== undefined}
        hint="0 to 3650. What was learned from them stays."
        {...daysInput}
      />
    </SaveForm>
  )
}
