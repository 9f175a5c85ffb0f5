import type { CallOutput } from '@bearing/client/call-types'
import { verb, callVerb } from '../session/verb.js'
import { counted } from '../ground/output/format.js'
import { wholeNumber, parsed, answer } from '../ground/arguments.js'
import { type Cells } from '../ground/output/cells.js'

const FIELDS: Cells<CallOutput<'showPositionPolicy'>> = {
  'Store positions': 'store_positions',
  'Kept for': ({ retention_days }) => counted(retention_days, 'day'),
}

callVerb('positions policy show', {
  about: 'show whether a project stores positions of devices, and for how long',
  call: 'showPositionPolicy',
  show: FIELDS,
})

verb('positions policy set', {
  about:
    'change whether a project stores positions of devices, and for how long; without flags it shows that',
  takes: {
    '--store <answer>': answer('store positions of requests that name a device'),
    '--retention-days <days>': parsed('retention in days: 1 to 3650', wholeNumber(1, 3_650)),
  },
  examples: ['--store yes --retention-days 30'],
  run: async (cli, { store, retentionDays }) => {
    const { client, organization, project } = await cli.session()
    const before = await client.call('showPositionPolicy', { organization, project })
    if (store === undefined && retentionDays === undefined) {
      cli.output.show(before, FIELDS)
      return
    }
    const changed = await client.call('changePositionPolicy', {
      ...{ organization, project, ...before },
      store_positions: store ?? before.store_positions,
      retention_days: retentionDays ?? before.retention_days,
    })
    cli.output.done('Position policy changed.')
    cli.output.show(changed, FIELDS)
  },
})
