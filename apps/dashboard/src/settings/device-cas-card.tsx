import type { CallOutput } from '@bearing/client/call-types'
import { deviceCaCode, SERIAL_SOURCES } from '@bearing/contracts/identity/devices/device-ca'
import { useQuery } from '@tanstack/react-query'
import { makeCall, calling } from '../ground/calling.js'
import { useScope } from '../ground/scope.js'
import { useAction } from '../ground/use-action.js'
import { useInput } from '../ground/use-input.js'
import { PermittedButton } from '../parts/button.js'
import { quoted } from '../parts/command.js'
import { ConfirmButton } from '../parts/confirm.js'
import { DialogButton } from '../parts/dialog-button.js'
import { Field } from '../parts/field.js'
import { SaveDialog } from '../parts/form-dialog.js'
import { Loaded } from '../parts/loaded.js'
import { Card } from '../parts/page.js'
import { Problem } from '../parts/problem.js'
import { useSave } from '../parts/save-form.js'
import { Select } from '../parts/select.js'
import { Table } from '../parts/table.js'
import { Time } from '../parts/time.js'

type Ca = CallOutput<'createDeviceCa'>

const SOURCES: Readonly<Record<Ca['serial_from'], string>> = {
  subject_cn: 'Subject: common name',
  subject_serial_number: 'Subject: serial number',
  san_dns: 'Alternative name: DNS',
  san_uri: 'Alternative name: URI',
}

/** The certificate authorities whose certificates prove devices. */
export function DeviceCasCard() {
  const { organizationSlug: organization, projectSlug: project } = useScope()
  const queryKey = ['device-cas', organization, project]
  const cas = useQuery(calling(queryKey, 'listDeviceCas', { organization, project }))
  const change = useAction(({ id, just_in_time }: Ca) => {
    const input = { organization, project, device_ca_id: id, just_in_time: !just_in_time }
    return makeCall('changeDeviceCa', input, queryKey)
  })
  return (
    <Card
      title="Certificate authorities"
      about="Devices with a client certificate of one of these prove who they are."
    >
      <Problem error={change.error} />
      <Loaded query={cas} lines={2}>
        {({ data }) => (
          <Table
            empty="No CA certificates."
            caption="Certificate authorities"
            rows={data}
            idOf={({ id }) => id}
            columns={[
              { title: 'Subject', isRowHeader: true, cell: ({ subject }) => subject },
              {
                title: 'Serial number',
                cell: ({ serial_from, serial_pattern }) => (
                  <>
                    {SOURCES[serial_from]} <code>{serial_pattern}</code>
                  </>
                ),
              },
              {
                title: 'New devices',
                cell: ({ just_in_time }) => (just_in_time ? 'register themselves' : 'are refused'),
              },
              { title: 'Expires', cell: ({ expires_at }) => <Time at={expires_at} /> },
              {
                title: 'Actions',
                isActions: true,
                cell: (ca) => (
                  <>
                    <PermittedButton
                      permission="device-key:manage"
                      look="small"
                      isDisabled={change.isPending}
                      onPress={() => void change.run(ca)}
                    >
                      {ca.just_in_time ? 'Refuse new devices' : 'Accept new devices'}
                    </PermittedButton>{' '}
                    <ConfirmButton
                      permission="device-key:manage"
                      look="danger small"
                      text="Delete …"
                      title="Delete the CA certificate?"
                      verb="Delete"
                      onConfirm={() =>
                        makeCall('deleteDeviceCa', { organization, project, device_ca_id: ca.id }, queryKey)
                      }
                    >
                      <p>Every gateway rejects the devices that it registered immediately.</p>
                    </ConfirmButton>
                  </>
                ),
              },
            ]}
          />
        )}
      </Loaded>
      <div>
        <DialogButton permission="device-key:manage" dialog={(close) => <AddDialog onClose={close} />}>
          Register a CA certificate …
        </DialogButton>
      </div>
    </Card>
  )
}

function AddDialog({ onClose }: { readonly onClose: () => void }) {
  const { organizationSlug: organization, projectSlug: project, project: found } = useScope()
  const [certificate, certificateInput] = useInput('')
  const [verification, verificationInput] = useInput('')
  const [source, sourceInput] = useInput<Ca['serial_from']>('subject_cn')
  const [pattern, patternInput] = useInput('{serial}')
  const input = {
    ...{ organization, project, certificate, verification_certificate: verification },
    ...{ serial_from: source, serial_pattern: pattern },
  }
  return (
    <SaveDialog
      title="Register a CA certificate"
      save={useSave('createDeviceCa', input, ['device-cas', organization, project])}
      verb="Register"
      bearing={`bearing --org ${organization} --project ${project} device-cas add ca.pem verification.pem --serial-from ${source} --pattern ${quoted(pattern)}`}
      onClose={onClose}
    >
      <Field
        label="CA certificate (PEM)"
        name="certificate"
        isRequired
        isLong
        autoFocus
        {...certificateInput}
      />
      <Field
        label="Verification certificate (PEM)"
        name="verification_certificate"
        hint={
          <>
            The CA signs it. Its common name is <code>{deviceCaCode(found?.id ?? '')}</code>.
          </>
        }
        isRequired
        isLong
        {...verificationInput}
      />
      <Select
        label="Serial number from"
        options={SERIAL_SOURCES.map((id) => ({ id, text: SOURCES[id] }))}
        {...sourceInput}
      />
      <Field
        label="Form of that name"
        name="serial_pattern"
        hint="Such as urn:device:{serial}."
        isRequired
        {...patternInput}
      />
    </SaveDialog>
  )
}
