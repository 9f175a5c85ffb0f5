import type { CallOutput } from '@bearing/client/call-types'
import { deviceCaCode, SERIAL_SOURCES } from '@bearing/contracts/identity/devices/device-ca'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { calling } from '../ground/calling.js'
import { client } from '../ground/client.js'
import { queryClient } from '../ground/query-client.js'
import { useScope } from '../ground/scope.js'
import { useAction } from '../ground/use-action.js'
import { PermittedButton } from '../parts/button.js'
import { AsCommand, quoted } from '../parts/command.js'
import { ConfirmButton } from '../parts/confirm.js'
import { Field } from '../parts/field.js'
import { FormDialog } from '../parts/form-dialog.js'
import { Loaded } from '../parts/loaded.js'
import { Card } from '../parts/page.js'
import { Problem } from '../parts/problem.js'
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
  const [isAdding, setAdding] = useState(false)
  const change = useAction(async ({ id, just_in_time }: Ca) => {
    const input = { organization, project, device_ca_id: id, just_in_time: !just_in_time }
    await client.call('changeDeviceCa', input)
    await queryClient.invalidateQueries({ queryKey })
  })
  const close = () => {
    setAdding(false)
    void queryClient.invalidateQueries({ queryKey })
  }
  return (
    <Card
      title="Certificate authorities"
      about="Devices with a client certificate of one of these prove who they are."
    >
      <Problem error={change.error} />
      <Loaded query={cas} lines={2}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="quiet">No CA certificates.</p>
          ) : (
            <Table
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
                        onConfirm={async () => {
                          await client.call('deleteDeviceCa', { organization, project, device_ca_id: ca.id })
                          await queryClient.invalidateQueries({ queryKey })
                        }}
                      >
                        <p>Every gateway rejects the devices that it registered immediately.</p>
                      </ConfirmButton>
                    </>
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
      <div>
        <PermittedButton
          permission="device-key:manage"
          aria-haspopup="dialog"
          onPress={() => setAdding(true)}
        >
          Register a CA certificate …
        </PermittedButton>
      </div>
      {isAdding && <AddDialog onClose={close} />}
    </Card>
  )
}

function AddDialog({ onClose }: { readonly onClose: () => void }) {
  const { organizationSlug: organization, projectSlug: project, project: found } = useScope()
  const [certificate, setCertificate] = useState('')
  const [verification, setVerification] = useState('')
  const [source, setSource] = useState<Ca['serial_from']>('subject_cn')
  const [pattern, setPattern] = useState('{serial}')
  const input = {
    ...{ organization, project, certificate, verification_certificate: verification },
    ...{ serial_from: source, serial_pattern: pattern },
  }
  const action = useAction(async () => {
    await client.call('createDeviceCa', input)
    onClose()
  })
  return (
    <FormDialog title="Register a CA certificate" action={action} verb="Register" onClose={onClose}>
      <Field
        label="CA certificate (PEM)"
        name="certificate"
        isRequired
        isLong
        autoFocus
        value={certificate}
        onChange={setCertificate}
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
        value={verification}
        onChange={setVerification}
      />
      <Select
        label="Serial number from"
        value={source}
        options={SERIAL_SOURCES.map((id) => ({ id, text: SOURCES[id] }))}
        onChange={setSource}
      />
      <Field
        label="Form of that name"
        name="serial_pattern"
        hint="Such as urn:device:{serial}."
        isRequired
        value={pattern}
        onChange={setPattern}
      />
      <AsCommand
        bearing={`bearing --org ${organization} --project ${project} device-cas add ca.pem verification.pem --serial-from ${source} --pattern ${quoted(pattern)}`}
        call={['createDeviceCa', input]}
      />
    </FormDialog>
  )
}
