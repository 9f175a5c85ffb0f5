import type { CallOutput } from '@bearing/client/call-types'
import {
  DEVICE_CLAIM_POLICIES,
  DEVICE_IDENTITIES,
} from '@bearing/contracts/identity/credentials/project-settings'
import { useQuery } from '@tanstack/react-query'
import { counted } from '../ground/amounts.js'
import { calling } from '../ground/calling.js'
import { useScope } from '../ground/scope.js'
import { useInput } from '../ground/use-input.js'
import { Loaded } from '../parts/loaded.js'
import { Card } from '../parts/page.js'
import { SaveForm, useSave } from '../parts/save-form.js'
import { Select } from '../parts/select.js'
import { useProjectSettings } from './project-settings.js'

type Settings = CallOutput<'showProjectSettings'>
type Identity = Settings['device_identity']

const TEXTS: Readonly<Record<Identity, string>> = {
  off: 'Off: devices send the project key',
  optional: 'Optional: tokens of devices are accepted too',
  required: 'Required: the project key alone is refused',
}

const CLAIMS: Readonly<Record<Settings['device_claims'], string>> = {
  off: 'Off: only managers register keys',
  open: 'Open: the first key of a serial number is accepted',
  approval: 'Approval: each key waits for a manager',
  'onboarding-token': 'Onboarding token: devices also send a token',
}

/** Sets the requirement for devices of a project to prove their identity. */
export function DeviceIdentityCard() {
  const settings = useProjectSettings()
  return (
    <Card
      title="Device identity"
      about="Devices can sign tokens with a key of their own, registered on the page of the device, or by the device with a claim."
    >
      <Loaded query={settings} lines={2}>
        {(shown) => <IdentityForm key={`${shown.device_identity} ${shown.device_claims}`} settings={shown} />}
      </Loaded>
    </Card>
  )
}

function IdentityForm({ settings }: { readonly settings: Settings }) {
  const { organizationSlug: organization, projectSlug: project, refused } = useScope()
  const [chosen, chosenInput] = useInput(settings.device_identity)
  const [claims, claimsInput] = useInput(settings.device_claims)
  const input = { organization, project, ...settings, device_identity: chosen, device_claims: claims }
  return (
    <SaveForm
      save={useSave('changeProjectSettings', input, ['project-settings'])}
      permission="project-settings:change"
      isDisabled={chosen === settings.device_identity && claims === settings.device_claims}
      bearing={`bearing --org ${organization} projects settings set ${project} --device-identity ${chosen} --device-claims ${claims}`}
    >
      <Select
        label="Policy"
        isDisabled={refused('project-settings:change') !== undefined}
        options={DEVICE_IDENTITIES.map((id) => ({ id, text: TEXTS[id] }))}
        {...chosenInput}
      />
      <Select
        label="Claims"
        isDisabled={refused('project-settings:change') !== undefined}
        options={DEVICE_CLAIM_POLICIES.map((id) => ({ id, text: CLAIMS[id] }))}
        {...claimsInput}
      />
      {chosen !== 'off' && <Refused isRequired={chosen === 'required'} />}
    </SaveForm>
  )
}

/** Counts the devices that prove who they are, and those that do not. */
export function useDeviceIdentity() {
  const { organizationSlug: organization, projectSlug: project } = useScope()
  return useQuery(
    calling(['device-identity', organization, project], 'showDeviceIdentity', { organization, project }),
  )
}

/** Says how many devices would be refused. */
function Refused({ isRequired }: { readonly isRequired: boolean }) {
  const counts = useDeviceIdentity()
  return (
    <Loaded query={counts} lines={1}>
      {({ seen, without_proof }) => (
        <p className={isRequired && without_proof > 0 ? 'notice' : 'quiet'}>
          Of {counted(seen, 'device')} that sent data within 30 days, {without_proof} did not prove who they
          are
          {isRequired ? ' and would be refused' : ''}.
        </p>
      )}
    </Loaded>
  )
}
