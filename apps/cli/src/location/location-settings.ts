import type { CallOutput } from '@bearing/client/call-types'
import { verb, callVerb } from '../session/verb.js'
import { counted } from '../ground/output/format.js'
import { wholeNumber, parsed } from '../ground/arguments.js'
import { type Cells } from '../ground/output/cells.js'

const FIELDS: Cells<CallOutput<'showLocationSettings'>> = {
  'Scans are kept for': ({ observation_retention_days }) => counted(observation_retention_days, 'day'),
}

callVerb('location settings show', {
  about: 'show the contribution settings of an organization',
  call: 'showLocationSettings',
  show: FIELDS,
})

verb('location settings set', {
  about: 'change the contribution settings of an organization, for admins; without flags it shows them',
  takes: {
    '--retention-days <days>': parsed(
      'retention of contributed scans in days: 0 to 3650',
      wholeNumber(0, 3_650),
    ),
  },
  examples: ['--retention-days 30'],
  run: async (cli, { retentionDays }) => {
    const { client, organization } = await cli.session()
    const before = await client.call('showLocationSettings', { organization })
    if (retentionDays === undefined) {
      cli.output.show(before, FIELDS)
      return
    }
    const changed = await client.call('changeLocationSettings', {
      ...{ organization, ...before },
      observation_retention_days: retentionDays,
    })
    cli.output.done('Location settings changed.')
    cli.output.show(changed, FIELDS)
  },
})
