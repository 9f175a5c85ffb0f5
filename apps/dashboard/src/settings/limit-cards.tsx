import { FILE_KINDS, type FileKind } from '@bearing/contracts/management/data/file'
import { SAMPLING_ASPECTS, SAMPLING_LEVELS } from '@bearing/contracts/management/devices/sampling'

import { ASPECTS, KIND_TEXTS } from '../ground/kinds.js'
import { Check } from '../parts/choice.js'
import { Card } from '../parts/page.js'
import { Select } from '../parts/select.js'
import type { DataPolicy } from './data-policy.js'
import { LimitField } from './limit-field.js'

const MAX_DAYS = 3_650
const MAX_BYTES = 2 ** 50
const MAX_REQUESTS = 1_000_000_000
const LIMITS = [
  { name: 'bytes_per_day', label: 'Bytes of chunks in a day', max: MAX_BYTES },
  { name: 'files_bytes', label: 'Bytes of all files', max: Number.MAX_SAFE_INTEGER },
  { name: 'requests_per_minute', label: 'Requests in a minute, all devices', max: MAX_REQUESTS },
  { name: 'device_requests_per_minute', label: 'Requests in a minute, each device', max: MAX_REQUESTS },
] as const

interface Props {
  readonly draft: DataPolicy
  readonly isDisabled: boolean
  readonly onChange: (change: Partial<DataPolicy>) => void
}

/** The fields of a data policy. */
export function LimitCards(props: Props) {
  return (
    <>
      <SendingCard {...props} />
      <RetentionCard {...props} />
      <SamplingCard {...props} />
    </>
  )
}

function SendingCard({ draft, isDisabled, onChange }: Props) {
  return (
    <Card title="Senders and limits" about="Devices over a limit are asked to send later.">
      <Check
        text="Only known devices may send"
        hint="Registered ones, and those that have sent before. Others get 403."
        isDisabled={isDisabled}
        isChecked={draft.known_devices_only}
        onChange={(known_devices_only) => onChange({ known_devices_only })}
      />
      <div className="pair">
        {LIMITS.map(({ name, label, max }) => (
          <LimitField
            key={name}
            label={label}
            name={name}
            max={max}
            isDisabled={isDisabled}
            value={draft[name]}
            onChange={(limit) => onChange({ [name]: limit })}
          />
        ))}
      </div>
    </Card>
  )
}

function RetentionCard({ draft, isDisabled, onChange }: Props) {
  return (
    <Card title="How long it is kept" about="In days. Empty: until it is deleted.">
      <div className="pair">
        <LimitField
          label="Chunks"
          name="retention_days"
          min={1}
          max={MAX_DAYS}
          isDisabled={isDisabled}
          value={draft.retention_days}
          onChange={(retention_days) => onChange({ retention_days })}
        />
        {FILE_KINDS.map((kind) => (
          <LimitField
            key={kind}
            label={KIND_TEXTS[kind]}
            name={`keep-${kind}`}
            min={1}
            max={MAX_DAYS}
            isDisabled={isDisabled}
            value={draft.file_retention_days[kind] ?? null}
            onChange={(limit) =>
              onChange({ file_retention_days: withKind(draft.file_retention_days, kind, limit) })
            }
          />
        ))}
      </div>
    </Card>
  )
}

function SamplingCard({ draft, isDisabled, onChange }: Props) {
  return (
    <Card title="Sampling" about="What agents of Linux devices send. They ask for it about once an hour.">
      <div className="pair">
        {SAMPLING_ASPECTS.map((aspect) => (
          <Select
            key={aspect}
            label={ASPECTS[aspect]}
            isDisabled={isDisabled}
            value={draft.sampling[aspect]}
            options={SAMPLING_LEVELS.map((id) => ({ id, text: id }))}
            onChange={(id) => {
              const level = SAMPLING_LEVELS.find((known) => known === id) ?? 'normal'
              onChange({ sampling: { ...draft.sampling, [aspect]: level } })
            }}
          />
        ))}
      </div>
    </Card>
  )
}

function withKind(
  before: DataPolicy['file_retention_days'],
  kind: FileKind,
  limit: number | null,
): DataPolicy['file_retention_days'] {
  const others = Object.entries(before).filter(([name]) => name !== kind)
  return Object.fromEntries(limit === null ? others : [...others, [kind, limit]])
}
