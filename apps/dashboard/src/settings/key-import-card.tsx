import type { CallOutput } from '@bearing/client/call-types'
import { useScope } from '../ground/scope.js'
import { useInput } from '../ground/use-input.js'
import { ConfirmButton } from '../parts/confirm.js'
import { Field } from '../parts/field.js'
import { Card } from '../parts/page.js'
import { SaveForm, useSave } from '../parts/save-form.js'
import { Time } from '../parts/time.js'

interface Props {
  readonly requested: CallOutput<'showProjectKey'>['requested']
}

/** Asks for the key that devices have already, and shows the request. */
export function KeyImportCard({ requested }: Props) {
  return (
    <Card
      title="A key that your devices have"
      about="For fleets that come from another service and keep their key. Only admins can ask for one."
    >
      {requested ? <Requested requested={requested} /> : <RequestForm />}
    </Card>
  )
}

function Requested({ requested }: { readonly requested: NonNullable<Props['requested']> }) {
  const { organizationSlug: organization, projectSlug: project } = useScope()
  const cancel = useSave('cancelKeyImport', { organization, project }, ['project-key', organization, project])
  return (
    <>
      <p>
        <code>{requested.api_key}</code>{' '}
        {requested.network === null
          ? 'waits for an operator'
          : `is imported with the first request from ${requested.network}`}
        , until <Time at={requested.expires_at} />.
      </p>
      <div>
        <ConfirmButton
          permission="project-key:cycle"
          text="Withdraw"
          title="Withdraw the request?"
          verb="Withdraw"
          onConfirm={cancel.make}
        >
          <p>Devices with this key stay refused.</p>
        </ConfirmButton>
      </div>
    </>
  )
}

function RequestForm() {
  const { organizationSlug: organization, projectSlug: project } = useScope()
  const [key, keyInput] = useInput('')
  const [network, networkInput] = useInput('')
  const input = { organization, project, api_key: key, network: network === '' ? null : network }
  return (
    <SaveForm
      save={useSave('requestKeyImport', input, ['project-key', organization, project])}
      permission="project-key:cycle"
      isDisabled={!/^[0-9a-f]{32}$/.test(key)}
      verb="Ask for the key"
      bearing={`bearing --org ${organization} --project ${project} project-key import ${key}${network === '' ? '' : ` --network ${network}`}`}
    >
      <Field label="Project key" name="api_key" hint="32 characters of 0–9 and a–f." {...keyInput} />
      <Field
        label="Network"
        name="network"
        hint="An IP address or CIDR range from which your devices send: their first request imports the key. Empty: an operator decides."
        {...networkInput}
      />
    </SaveForm>
  )
}
