import type { CallOutput } from '@bearing/client/call-types'
import { useQuery } from '@tanstack/react-query'
import { makeCall, listing } from '../ground/calling.js'
import { useScope } from '../ground/scope.js'
import { useInput } from '../ground/use-input.js'
import { quoted } from '../parts/command.js'
import { ConfirmButton } from '../parts/confirm.js'
import { DialogButton } from '../parts/dialog-button.js'
import { Field } from '../parts/field.js'
import { SaveDialog } from '../parts/form-dialog.js'
import { Loaded } from '../parts/loaded.js'
import { Card } from '../parts/page.js'
import { useSave } from '../parts/save-form.js'
import { Table } from '../parts/table.js'
import { Time } from '../parts/time.js'

type Key = CallOutput<'createDeviceKey'>

/** Grace period of the key before after a rotation, in seconds: a week. */
const GRACE_S = 604_800

/** The public keys that prove one device. */
export function IdentityCard({ serial }: { readonly serial: string }) {
  const { organizationSlug: organization, projectSlug: project } = useScope()
  const at = { organization, project, device_serial: serial }
  const queryKey = ['device-keys', organization, project, serial]
  const keys = useQuery(listing(queryKey, 'listDeviceKeys', at))
  const isRotation = keys.data?.length === 1
  return (
    <Card
      title="Identity"
      about="Public keys. The device signs tokens with its private key, which Bearing never receives."
    >
      <Loaded query={keys} lines={2}>
        {(list) => <Keys serial={serial} keys={list} />}
      </Loaded>
      <div>
        <DialogButton
          permission="device-key:manage"
          isDisabled={(keys.data ?? []).length > 1}
          dialog={(close) => <AddDialog serial={serial} isRotation={isRotation} onClose={close} />}
        >
          {isRotation ? 'Rotate …' : 'Register a key …'}
        </DialogButton>
      </div>
    </Card>
  )
}

function Keys({ serial, keys }: { readonly serial: string; readonly keys: readonly Key[] }) {
  const { organizationSlug: organization, projectSlug: project } = useScope()
  const moment = (at: string | null) => (at === null ? 'never' : <Time at={at} />)
  return (
    <Table
      caption="Keys"
      rows={keys}
      empty="No keys."
      idOf={({ id }) => id}
      columns={[
        {
          title: 'Key',
          isRowHeader: true,
          cell: ({ thumbprint, algorithm }) => (
            <>
              <code>{thumbprint.slice(0, 12)}…</code> {algorithm}
            </>
          ),
        },
        { title: 'Created', cell: ({ created_at }) => <Time at={created_at} /> },
        { title: 'Last used', cell: ({ last_used_at }) => moment(last_used_at) },
        { title: 'Expires', cell: ({ expires_at }) => moment(expires_at) },
        {
          title: 'Actions',
          isActions: true,
          cell: ({ id }) => (
            <ConfirmButton
              look="danger small"
              permission="device-key:manage"
              text="Revoke …"
              title="Revoke the key?"
              verb="Revoke"
              onConfirm={() => {
                const key = { organization, project, device_serial: serial, device_key_id: id }
                return makeCall('revokeDeviceKey', key, ['device-keys', organization, project, serial])
              }}
            >
              <p>Every gateway rejects its tokens immediately.</p>
            </ConfirmButton>
          ),
        },
      ]}
    />
  )
}

interface AddProps {
  readonly serial: string
  readonly isRotation: boolean
  readonly onClose: () => void
}

function AddDialog({ serial, isRotation, onClose }: AddProps) {
  const { organizationSlug: organization, projectSlug: project } = useScope()
  const [pem, pemInput] = useInput('')
  const input = {
    ...{ organization, project, device_serial: serial, public_key: pem },
    ...(isRotation && { grace_seconds: GRACE_S }),
  }
  return (
    <SaveDialog
      title={isRotation ? 'Rotate the key' : 'Register a key'}
      save={useSave('createDeviceKey', input, ['device-keys', organization, project, serial])}
      verb="Register"
      bearing={`bearing --org ${organization} --project ${project} devices keys add ${quoted(serial)} device.pub${isRotation ? ' --grace 7d' : ''}`}
      onClose={onClose}
    >
      <Field
        label="Public key or certificate (PEM)"
        name="public_key"
        hint={`P-256, P-384 or Ed25519.${isRotation ? ' The key before works for another week.' : ''}`}
        isRequired
        isLong
        autoFocus
        {...pemInput}
      />
    </SaveDialog>
  )
}
