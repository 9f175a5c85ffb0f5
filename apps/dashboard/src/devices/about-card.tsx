import { ATTRIBUTE_FAULTS, readAttribute } from '@bearing/contracts/management/devices/attribute-text'
import type { AttributeValue } from '@bearing/contracts/management/devices/device-attribute'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { addressOf } from '../ground/address-of.js'
import { client } from '../ground/client.js'
import { useScope } from '../ground/scope.js'
import { useAction } from '../ground/use-action.js'
import { quoted } from '../parts/command.js'
import { Field } from '../parts/field.js'
import { Card } from '../parts/page.js'
import { SaveForm } from '../parts/save-form.js'
import type { Device } from './device-filter.js'
import { attributesOf, rereadDevices } from './device-queries.js'

const SETTINGS = '/o/$organization/p/$project/settings/attributes'

/** The nickname and attributes of a device, which people give it. */
export function AboutCard({ device }: { readonly device: Device }) {
  const { organizationSlug: organization, projectSlug: project, refused } = useScope()
  const { data: declared = [] } = useQuery(attributesOf(organization, project))
  const [typedName, setTypedName] = useState<string>()
  const nickname = typedName ?? device.nickname ?? ''
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({})
  const before = (name: string) => {
    const value = device.attributes?.[name]
    return value === undefined ? '' : String(value)
  }
  const changed = declared.filter(({ name }) => (typed[name] ?? before(name)).trim() !== before(name))
  const isRenamed = nickname.trim() !== (device.nickname ?? '')
  const why = refused('device:change')
  const attributes: Record<string, AttributeValue | null> = {}
  for (const { name, type } of changed) {
    const text = (typed[name] ?? '').trim()
    attributes[name] = text === '' ? null : (readAttribute(type, text) ?? text)
  }
  const input = {
    ...{ organization, project, device_serial: device.device_serial },
    ...(isRenamed && { nickname: nickname.trim() || null }),
    ...(changed.length > 0 && { attributes }),
  }
  const isChanged = isRenamed || changed.length > 0
  const action = useAction(async () => {
    await client.call('changeDevice', input)
    await rereadDevices()
    setTyped({})
    setTypedName(undefined)
  })
  return (
    <Card title="Nickname and attributes" about="What people say of it. Devices do not see this.">
      <SaveForm
        save={{ ...action, call: ['changeDevice', input] }}
        permission="device:change"
        isDisabled={!isChanged}
        bearing={
          isChanged
            ? [
                `bearing --org ${organization} --project ${project} devices set ${device.device_serial}`,
                ...(isRenamed ? [`  --nickname ${quoted(nickname.trim())}`] : []),
                ...changed.map(
                  ({ name }) => `  --attribute ${quoted(`${name}=${(typed[name] ?? '').trim()}`)}`,
                ),
              ].join(' \\\n')
            : undefined
        }
      >
        <Field
          label="Nickname"
          name="nickname"
          maxLength={128}
          isDisabled={why !== undefined}
          value={nickname}
          onChange={setTypedName}
        />
        {declared.map(({ name, type }) => (
          <Field
            key={name}
            label={`${name} (${type})`}
            name={`attribute-${name}`}
            isDisabled={why !== undefined}
            validate={(text) =>
              text.trim() === '' || readAttribute(type, text.trim()) !== undefined
                ? null
                : `This ${ATTRIBUTE_FAULTS[type]}.`
            }
            value={typed[name] ?? before(name)}
            onChange={(text) => setTyped({ ...typed, [name]: text })}
          />
        ))}
        <p className="quiet">
          {declared.length === 0
            ? 'The project has declared no attributes. '
            : 'An empty field removes the value. '}
          <Link to={addressOf(SETTINGS, organization, project)}>Device attributes</Link>
        </p>
      </SaveForm>
    </Card>
  )
}
