import type { CallOutput } from '@bearing/client/call-types'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { calling } from '../ground/calling.js'
import { useScope } from '../ground/scope.js'
import { useInput } from '../ground/use-input.js'
import { Check } from '../parts/choice.js'
import { Confirm } from '../parts/confirm.js'
import { Loaded } from '../parts/loaded.js'
import { Card, Page } from '../parts/page.js'
import { SaveForm, useSave } from '../parts/save-form.js'
import { days } from './data-policy.js'
import { LimitField } from './limit-field.js'

type PositionPolicy = CallOutput<'showPositionPolicy'>

const MAX_DAYS = 3_650

/** `…/settings/positions`: whether positions of devices are stored, and for how long. */
export function PositionsPage() {
  const { organizationSlug: organization, projectSlug: project } = useScope()
  const policy = useQuery({
    ...calling(['position-policy', organization, project], 'showPositionPolicy', { organization, project }),
    refetchOnWindowFocus: false,
  })
  return (
    <Page title="Positions" about="Positions of devices can be positions of people. Store what you need.">
      <Loaded query={policy} lines={2}>
        {(shown) => <PositionPolicyForm key={JSON.stringify(shown)} policy={shown} />}
      </Loaded>
    </Page>
  )
}

function PositionPolicyForm({ policy }: { readonly policy: PositionPolicy }) {
  const { organizationSlug: organization, projectSlug: project, refused } = useScope()
  const [isStored, setStored] = useState(policy.store_positions)
  const [retention, retentionInput] = useInput<number | null>(policy.retention_days)
  const [isAsking, setAsking] = useState(false)
  const why = refused('data-policy:change')
  const kept = retention ?? policy.retention_days
  const input = { organization, project, store_positions: isStored, retention_days: kept }
  const save = useSave('changePositionPolicy', input, ['position-policy'])
  const isChanged = isStored !== policy.store_positions || kept !== policy.retention_days
  return (
    <>
      <Card title={isChanged ? 'What will hold' : 'Current policy'}>
        <p>
          {isStored
            ? 'A position that is asked for with the serial number of a device as device_id is stored for that device.'
            : 'No new position is stored.'}{' '}
          Stored positions are deleted after {days(kept)}
          {isStored ? '.' : ', also those that are there already.'}
        </p>
      </Card>
      <Card title="Edit">
        <SaveForm
          save={save}
          permission="data-policy:change"
          look="primary"
          isDisabled={!isChanged || retention === null}
          bearing={`bearing --org ${organization} --project ${project} positions policy set --store ${isStored ? 'yes' : 'no'} --retention-days ${String(kept)}`}
          {...(kept < policy.retention_days && { onSubmit: () => setAsking(true) })}
        >
          <Check
            text="Store positions of devices"
            hint="The location page and the timeline of a device show them. Webhooks can receive them."
            isDisabled={why !== undefined}
            isChecked={isStored}
            onChange={setStored}
          />
          <LimitField
            label="Days for which a position is kept"
            name="retention_days"
            min={1}
            max={MAX_DAYS}
            isDisabled={why !== undefined}
            {...retentionInput}
          />
        </SaveForm>
      </Card>
      {isAsking && (
        <Confirm
          title="Shorten the retention?"
          verb="Save and delete"
          onConfirm={save.make}
          onClose={() => setAsking(false)}
        >
          <p>
            Positions of all devices that are older than {days(kept)} disappear immediately and are deleted.{' '}
            <strong>This cannot be undone.</strong>
          </p>
        </Confirm>
      )}
    </>
  )
}
