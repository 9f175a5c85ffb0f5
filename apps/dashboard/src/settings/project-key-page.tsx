import { PROJECT_KEY_GRACE_SECONDS } from '@bearing/contracts/primitives'
import { useQuery } from '@tanstack/react-query'
import { calling } from '../ground/calling.js'
import { installation } from '../ground/queries.js'
import { useScope } from '../ground/scope.js'
import { countdown } from '../ground/time.js'
import { useInput } from '../ground/use-input.js'
import { useNow } from '../ground/use-now.js'
import { Choice } from '../parts/choice.js'
import { Command } from '../parts/command.js'
import { ConfirmButton } from '../parts/confirm.js'
import { CopyButton } from '../parts/copy-button.js'
import { DialogButton } from '../parts/dialog-button.js'
import { SaveDialog } from '../parts/form-dialog.js'
import { GRACES } from '../parts/lifetimes.js'
import { Loaded } from '../parts/loaded.js'
import { Card, Page } from '../parts/page.js'
import { useSave } from '../parts/save-form.js'
import { Time } from '../parts/time.js'
import { KeyImportCard } from './key-import-card.js'
import { KeyPowersCard } from './key-powers-card.js'
import { KeyRequestsCard } from './key-requests-card.js'

/** `…/settings/project-key`. The key is no secret, so it is shown. */
export function ProjectKeyPage() {
  const { organizationSlug: organization, projectSlug: project } = useScope()
  const config = useQuery(installation)
  const queryKey = ['project-key', organization, project]
  const key = useQuery(calling(queryKey, 'showProjectKey', { organization, project }))
  const header = config.data?.project_key_header ?? 'Service-Project-Key'
  const url = config.data?.public_url ?? ''
  return (
    <Page
      title="Project Key"
      about="Devices send data with it. It is not a secret: it is in every device."
      action={
        <DialogButton permission="project-key:cycle" dialog={(close) => <CycleDialog onClose={close} />}>
          Replace the key
        </DialogButton>
      }
    >
      <Loaded query={key} lines={2}>
        {({ api_key, created_at, in_grace, requested }) => (
          <>
            <Card title="Current key">
              <p className="row">
                <code>{api_key}</code>
                <CopyButton text={api_key} of="the project key" label="Copy" look="small" />
              </p>
              <p className="quiet">
                Created <Time at={created_at} />. Devices send it in the header <code>{header}</code>.
              </p>
            </Card>
            {in_grace.length > 0 && <InGrace keys={in_grace} />}
            <KeyRequestsCard />
            <KeyPowersCard />
            <KeyImportCard requested={requested} />
            <Card
              title="Send something"
              about="Any bytes, for the device DEMO-1. A device sends its chunks in the same way."
            >
              <Command
                text={`echo hello | curl --header "${header}: ${api_key}" --header "Content-Type: application/octet-stream" \\\n  --data-binary @- ${url}/api/v0/chunks/DEMO-1`}
              />
            </Card>
          </>
        )}
      </Loaded>
    </Page>
  )
}

interface Replaced {
  readonly api_key: string
  readonly expires_at: string
}

function InGrace({ keys }: { readonly keys: readonly Replaced[] }) {
  const { organizationSlug: organization, projectSlug: project } = useScope()
  const now = useNow(1_000)
  const end = useSave('endKeyGraces', { organization, project }, ['project-key', organization, project])
  return (
    <Card title="Replaced keys that still work">
      <ul className="stack-s">
        {keys.map(({ api_key, expires_at }) => (
          <li key={api_key} className="row">
            <code>{api_key}</code>
            <span className="badge attention">ends in {countdown(Date.parse(expires_at) - now)}</span>
          </li>
        ))}
      </ul>
      <div>
        <ConfirmButton
          permission="project-key:cycle"
          text="End them now"
          title="End the replaced keys?"
          verb="End them now"
          onConfirm={end.make}
        >
          <p>Every gateway rejects them within a second. Devices that still have one can send nothing.</p>
        </ConfirmButton>
      </div>
    </Card>
  )
}

function CycleDialog({ onClose }: { readonly onClose: () => void }) {
  const { organizationSlug: organization, projectSlug: project } = useScope()
  const [grace, graceInput] = useInput(String(PROJECT_KEY_GRACE_SECONDS))
  const input = { organization, project, grace_seconds: Number(grace) }
  return (
    <SaveDialog
      title="Replace the project key"
      save={useSave('cycleProjectKey', input, ['project-key', organization, project])}
      verb="Replace the key"
      look={grace === '0' ? 'danger primary' : 'primary'}
      bearing={`bearing --org ${organization} --project ${project} project-key rotate${GRACES.find(({ id }) => id === grace)?.flag ?? ''}`}
      onClose={onClose}
    >
      <p>Devices in the field keep the key that they were built with. Give them time to update.</p>
      <Choice
        label="The old key"
        {...graceInput}
        options={GRACES.map(({ id, text }) => ({
          id,
          text,
          ...(id === '0' && { hint: 'Keys that are in their grace period stop too.' }),
        }))}
      />
    </SaveDialog>
  )
}
