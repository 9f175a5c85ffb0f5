import { SAMPLING_ASPECTS, SAMPLING_LEVELS } from '@bearing/contracts/management/devices/sampling'
import { client } from '../ground/client.js'
import { useScope } from '../ground/scope.js'
import { useAction } from '../ground/use-action.js'
import { Card } from '../parts/page.js'
import { Problem } from '../parts/problem.js'
import { Select } from '../parts/select.js'
import { whoCan } from '../ground/who-can.js'
import { ASPECTS, type Aspect } from '../ground/kinds.js'
import type { Device } from './device-filter.js'
import { rereadDevices } from './device-queries.js'

/** Stands for no level of its own. */
const AS_PROJECT = 'project'

/** What the agent of one device sends, where that differs from its project. */
export function SamplingCard({ device }: { readonly device: Device }) {
  const { organizationSlug: organization, projectSlug: project, refused } = useScope()
  const { device_serial, sampling } = device
  const why = refused('data-policy:change')
  const action = useAction(async (aspect: Aspect, chosen: string) => {
    const level = SAMPLING_LEVELS.find((known) => known === chosen) ?? null
    const input = { organization, project, device_serial, ...sampling, [aspect]: level }
    await client.call('setDeviceSampling', input)
    await rereadDevices()
  })
  return (
    <Card
      title="Sampling"
      about="What its agent sends. Linux agents ask for it about once an hour; other devices do not."
    >
      {SAMPLING_ASPECTS.map((aspect) => (
        <Select
          key={aspect}
          label={ASPECTS[aspect]}
          isDisabled={why !== undefined || action.isPending}
          value={sampling[aspect] ?? AS_PROJECT}
          options={[
            { id: AS_PROJECT, text: 'As the project' },
            ...SAMPLING_LEVELS.map((id) => ({ id, text: id })),
          ]}
          onChange={(chosen) => void action.run(aspect, chosen)}
        />
      ))}
      {why && <p className="hint">Only for {whoCan('data-policy:change')}.</p>}
      <Problem error={action.error} />
    </Card>
  )
}
