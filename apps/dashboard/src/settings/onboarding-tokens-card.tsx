import { DAY_MS } from '@bearing/contracts/durations'
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
import { Dialog } from '../parts/dialog.js'
import { Field } from '../parts/field.js'
import { FormActions } from '../parts/form-actions.js'
import { Form } from '../parts/form.js'
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
  const [isCreating, setCreating] = useState(false)
  const close = () => {
    setCreating(false)
    void queryClient.invalidateQueries({ queryKey })
  }
  return (
    <Card title="Onboarding tokens" about="Secrets of production lines. A device sends one with its claim.">
      <Loaded query={tokens} lines={2}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="quiet">No onboarding tokens.</p>
          ) : (
            <Table
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
                      onConfirm={async () => {
                        const token = { organization, project, onboarding_token_id: id }
                        await client.call('deleteOnboardingToken', token)
                        await queryClient.invalidateQueries({ queryKey })
                      }}
                    >
                      <p>
                        Devices cannot use it anymore. Keys that were registered with it continue to work.
                      </p>
                    </ConfirmButton>
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
          onPress={() => setCreating(true)}
        >
          Create an onboarding token …
        </PermittedButton>
      </div>
      {isCreating && <CreateDialog onClose={close} />}
    </Card>
  )
}

function CreateDialog({ onClose }: { readonly onClose: () => void }) {
  const { organizationSlug: organization, projectSlug: project } = useScope()
  const [name, setName] = useState('')
  const [uses, setUses] = useState('1')
  const [days, setDays] = useState('1')
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
    <Dialog
      title={token === undefined ? 'Create an onboarding token' : 'The onboarding token'}
      isLocked={action.isPending || token !== undefined}
      onClose={onClose}
    >
      {token !== undefined ? (
        <Secret secret={token} of="the token" onSaved={onClose}>
          <Qr text={token} label="QR code of the onboarding token" />
        </Secret>
      ) : (
        <Form error={action.error} onSubmit={() => void action.run()}>
          <Field
            label="Name"
            name="name"
            isRequired
            autoFocus
            maxLength={128}
            value={name}
            onChange={setName}
          />
          <Field label="Devices that can use it" name="max_uses" isRequired value={uses} onChange={setUses} />
          <Field label="Days until it expires" name="expires_at" isRequired value={days} onChange={setDays} />
          <AsCommand
            bearing={`bearing --org ${organization} --project ${project} onboarding-tokens create --name ${quoted(name || 'Line 3')} --uses ${uses} --expires-in ${days}d`}
            call={['createOnboardingToken', input]}
          />
          <FormActions action={action} onCancel={onClose}>
            Create
          </FormActions>
        </Form>
      )}
    </Dialog>
  )
}
