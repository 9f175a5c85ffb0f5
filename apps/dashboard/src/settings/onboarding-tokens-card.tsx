import { DAY_MS } from '@bearing/contracts/durations'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { makeCall, calling } from '../ground/calling.js'
import { client } from '../ground/client.js'
import { queryClient } from '../ground/query-client.js'
import { useScope } from '../ground/scope.js'
import { useAction } from '../ground/use-action.js'
import { useInput } from '../ground/use-input.js'
import { AsCommand, quoted } from '../parts/command.js'
import { ConfirmButton } from '../parts/confirm.js'
import { DialogButton } from '../parts/dialog-button.js'
import { Field } from '../parts/field.js'
import { FormDialog } from '../parts/form-dialog.js'
import { Loaded } from '../parts/loaded.js'
import { Card } from '../parts/page.js'
import { Qr } from '../parts/qr.js'
import { Secret } from '../parts/secret.js'
import { Table } from '../parts/table.js'
import { Time } from '../parts/time.js'

/** The server refuses fewer; more would be no date. */
const MOST_DAYS = 36_600

/** The tokens with which devices of production lines claim their serial numbers. */
export function OnboardingTokensCard() {
  const { organizationSlug: organization, projectSlug: project } = useScope()
  const queryKey = ['onboarding-tokens', organization, project]
  const tokens = useQuery(calling(queryKey, 'listOnboardingTokens', { organization, project, per_page: 100 }))
  return (
    <Card title="Onboarding tokens" about="Secrets of production lines. A device sends one with its claim.">
      <Loaded query={tokens} lines={2}>
        {({ data }) => (
          <Table
            empty="No onboarding tokens."
            caption="Onboarding tokens"
            rows={data}
            idOf={({ id }) => id}
            columns={[
              { title: 'Name', isRowHeader: true, cell: ({ name }) => name },
              { title: 'Uses', cell: ({ uses, max_uses }) => `${String(uses)} of ${String(max_uses)}` },
              { title: 'Expires', cell: ({ expires_at }) => <Time at={expires_at} /> },
              {
                title: 'Actions',
                isActions: true,
                cell: ({ id }) => (
                  <ConfirmButton
                    permission="device-key:manage"
                    look="danger small"
                    text="Delete …"
                    title="Delete the onboarding token?"
                    verb="Delete"
                    onConfirm={() => {
                      const token = { organization, project, onboarding_token_id: id }
                      return makeCall('deleteOnboardingToken', token, queryKey)
                    }}
                  >
                    <p>Devices cannot use it anymore. Keys that were registered with it continue to work.</p>
                  </ConfirmButton>
                ),
              },
            ]}
          />
        )}
      </Loaded>
      <div>
        <DialogButton
          permission="device-key:manage"
          dialog={(close) => <CreateDialog onClose={close} />}
          onClosed={() => queryClient.invalidateQueries({ queryKey })}
        >
          Create an onboarding token …
        </DialogButton>
      </div>
    </Card>
  )
}

function CreateDialog({ onClose }: { readonly onClose: () => void }) {
  const { organizationSlug: organization, projectSlug: project } = useScope()
  const [name, nameInput] = useInput('')
  const [uses, usesInput] = useInput('1')
  const [days, daysInput] = useInput('1')
  const [token, setToken] = useState<string>()
  const [openedMs] = useState(() => Date.now())
  const input = {
    ...{ organization, project, name: name.trim(), max_uses: Number(uses) },
    expires_at: new Date(openedMs + Math.min(Number(days) || 0, MOST_DAYS) * DAY_MS).toISOString(),
  }
  const action = useAction(async () => {
    setToken((await client.call('createOnboardingToken', input)).token)
  })
  return (
    <FormDialog
      title={token === undefined ? 'Create an onboarding token' : 'The onboarding token'}
      action={action}
      verb="Create"
      result={
        token && (
          <Secret secret={token} of="the token" onSaved={onClose}>
            <Qr text={token} label="QR code of the onboarding token" />
          </Secret>
        )
      }
      onClose={onClose}
    >
      <Field label="Name" name="name" isRequired autoFocus maxLength={128} {...nameInput} />
      <Field label="Devices that can use it" name="max_uses" isRequired {...usesInput} />
      <Field label="Days until it expires" name="expires_at" isRequired {...daysInput} />
      <AsCommand
        bearing={`bearing --org ${organization} --project ${project} onboarding-tokens create --name ${quoted(name || 'Line 3')} --uses ${uses} --expires-in ${days}d`}
        call={['createOnboardingToken', input]}
      />
    </FormDialog>
  )
}
