import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { deviceAddress } from '../ground/address-of.js'
import { client } from '../ground/client.js'
import { useScope } from '../ground/scope.js'
import { useAction } from '../ground/use-action.js'
import { useInput } from '../ground/use-input.js'
import { AsCommand, quoted } from '../parts/command.js'
import { Field } from '../parts/field.js'
import { FormDialog } from '../parts/form-dialog.js'
import { rereadDevices } from './device-queries.js'

const NONE = { hardware_version: '', software_type: '', software_version: '' }
type Facts = typeof NONE

const LABELS: Readonly<Record<keyof Facts, string>> = {
  hardware_version: 'Hardware version',
  software_type: 'Software type',
  software_version: 'Software version',
}

/** Registers a device before it has sent anything. */
export function RegisterDialog({ onClose }: { readonly onClose: () => void }) {
  const { organizationSlug: organization, projectSlug: project } = useScope()
  const navigate = useNavigate()
  const [serial, serialInput] = useInput('')
  const [facts, setFacts] = useState<Facts>(NONE)
  const said = Object.entries(facts).filter(([, text]) => text.trim() !== '')
  const input = { organization, project, device_serial: serial.trim(), ...Object.fromEntries(said) }
  const action = useAction(async () => {
    const { device_serial } = await client.call('registerDevice', input)
    onClose()
    await rereadDevices()
    await navigate({ to: deviceAddress(organization, project, device_serial) })
  })
  return (
    <FormDialog title="Register a device" action={action} verb="Register" onClose={onClose}>
      <p className="quiet">
        Needed only where the project accepts data from known devices alone. To register many, import a CSV
        file.
      </p>
      <Field
        label="Serial number"
        name="device_serial"
        hint="1 to 128 letters, digits, “_” and “-”."
        isRequired
        autoFocus
        maxLength={128}
        {...serialInput}
      />
      <div className="pair">
        {(Object.keys(NONE) as (keyof Facts)[]).map((name) => (
          <Field
            key={name}
            label={`${LABELS[name]} (optional)`}
            name={name}
            value={facts[name]}
            onChange={(text) => setFacts({ ...facts, [name]: text })}
          />
        ))}
      </div>
      <AsCommand
        bearing={[
          `bearing --org ${organization} --project ${project} devices register ${quoted(serial || 'DEVICE-0001')}`,
          ...said.map(([name, text]) => `  --${name.replaceAll('_', '-')} ${quoted(text)}`),
        ].join(' \\\n')}
        call={['registerDevice', { ...input, device_serial: input.device_serial || 'DEVICE-0001' }]}
      />
    </FormDialog>
  )
}
