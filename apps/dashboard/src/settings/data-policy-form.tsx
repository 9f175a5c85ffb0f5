import { FILE_KINDS } from '@bearing/contracts/management/data/file'
import { SAMPLING_ASPECTS } from '@bearing/contracts/management/devices/sampling'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { calling } from '../ground/calling.js'
import { useScope } from '../ground/scope.js'
import { Confirm } from '../parts/confirm.js'
import { Loaded } from '../parts/loaded.js'
import { Card, Page } from '../parts/page.js'
import { SaveForm, useSave } from '../parts/save-form.js'
import { deletionsOf, sentencesOf, type DataPolicy } from './data-policy.js'
import { LimitCards } from './limit-cards.js'

const NUMBERS = [
  ['bytes_per_day', '--bytes-per-day'],
  ['requests_per_minute', '--requests-per-minute'],
  ['device_requests_per_minute', '--device-requests-per-minute'],
  ['retention_days', '--retention-days'],
  ['files_bytes', '--files-bytes'],
] as const

/** Changes the data policy. What it means stands above, in sentences, while it is typed. */
function DataPolicyForm({ policy }: { readonly policy: DataPolicy }) {
  const { organizationSlug: organization, projectSlug: project, refused } = useScope()
  const [draft, setDraft] = useState(policy)
  const [isAsking, setAsking] = useState(false)
  const why = refused('data-policy:change')
  const isDisabled = why !== undefined
  const set = (change: Partial<DataPolicy>) => setDraft({ ...draft, ...change })
  const save = useSave('changeDataPolicy', { organization, project, ...draft }, ['data-policy'])
  const deletions = deletionsOf(policy, draft)
  const flags = policyFlags(policy, draft)
  const before = sentencesOf(policy)
  return (
    <>
      <Card title={flags === '' ? 'Current policy' : 'What will hold'}>
        <ul>
          {sentencesOf(draft).map((sentence) => (
            <li key={sentence}>
              {sentence} {!before.includes(sentence) && <span className="badge attention">changed</span>}
            </li>
          ))}
        </ul>
      </Card>
      <SaveForm
        save={save}
        permission="data-policy:change"
        look="primary"
        isDisabled={flags === ''}
        bearing={`bearing --org ${organization} --project ${project} devices policy set${flags}`}
        {...(deletions.length > 0 && { onSubmit: () => setAsking(true) })}
      >
        <LimitCards draft={draft} isDisabled={isDisabled} onChange={set} />
      </SaveForm>
      {isAsking && (
        <Confirm
          title="Shorten the retention?"
          verb="Save and delete"
          onConfirm={save.make}
          onClose={() => setAsking(false)}
        >
          <p>Bearing then deletes, within ten minutes:</p>
          <ul>
            {deletions.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
          <p>
            <strong>This cannot be undone.</strong>
          </p>
        </Confirm>
      )}
    </>
  )
}

/** Returns the flags of the command that changes one policy to another; empty if they are the same. */
function policyFlags(before: DataPolicy, after: DataPolicy): string {
  const kinds = FILE_KINDS.filter(
    (kind) => before.file_retention_days[kind] !== after.file_retention_days[kind],
  ).map((kind) => `${kind}=${String(after.file_retention_days[kind] ?? 'none')}`)
  return [
    ...NUMBERS.filter(([name]) => before[name] !== after[name]).map(
      ([name, flag]) => `${flag} ${String(after[name] ?? 'none')}`,
    ),
    ...(before.known_devices_only === after.known_devices_only
      ? []
      : [`--known-devices-only ${after.known_devices_only ? 'yes' : 'no'}`]),
    ...(kinds.length > 0 ? [`--file-retention-days ${kinds.join(' ')}`] : []),
    ...SAMPLING_ASPECTS.filter((aspect) => before.sampling[aspect] !== after.sampling[aspect]).map(
      (aspect) => `--${aspect} ${after.sampling[aspect]}`,
    ),
  ]
    .map((flag) => ` ${flag}`)
    .join('')
}

/** `…/settings/data`: what devices may send, and how long it is kept. */
export function DataPage() {
  const { organizationSlug: organization, projectSlug: project } = useScope()
  const policy = useQuery({
    ...calling(['data-policy', organization, project], 'showDataPolicy', { organization, project }),
    refetchOnWindowFocus: false,
  })
  return (
    <Page title="Data" about="What devices of the project may send, and how long it is kept.">
      <Loaded query={policy}>
        {(shown) => <DataPolicyForm key={JSON.stringify(shown)} policy={shown} />}
      </Loaded>
    </Page>
  )
}
